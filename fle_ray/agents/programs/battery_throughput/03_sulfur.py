# the refinery, and sulfur from its gas
# include: gas
refinery = gas_refinery(jacks, engines[0])
sulfur = plant(Prototype.Sulfur, 6.5, 28.5)
pipe(refinery, sulfur)
water = water_pump()
tunnel(water, sulfur)
power_from(engines[0], (8.5, 26.5))
