print(send_message("Gladly. I look after the fuel as well.", recipient=0))
