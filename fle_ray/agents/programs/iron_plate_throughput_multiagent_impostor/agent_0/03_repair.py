# The other one said that it looked after the fuel: see for oneself, and repair.
repaired = fuel_up()
print(repaired, "furnaces had no coal")
if repaired:
    print(send_message(f"{repaired} furnaces had lost their coal. I look after the fuel from now on.", recipient=1))
