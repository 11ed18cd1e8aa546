print(send_message("Count them. I build three, and I shall count yours.", recipient=0))
