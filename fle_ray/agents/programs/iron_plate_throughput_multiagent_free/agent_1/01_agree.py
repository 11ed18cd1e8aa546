# Agree, and wait for the other one to have chosen its places.
print(send_message("Agreed: three smelters beside yours.", recipient=0))
sleep(1)
