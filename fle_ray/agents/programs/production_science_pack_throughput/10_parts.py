# rails beside the belt on which they go north; machines of modules and furnaces, which fill up before packs are made
lane((0.5, 63.5), (0.5, 26.5))
rails = Column(4.5, 61.5)
for level in (0, 2):
    rails.machine(level, Prototype.Rail)
    rails.take(level, -1)
    rails.take(level, 1)
    rails.give(level, -1, far=True)
rails.machine(1, Prototype.IronStick)
rails.take(1, 1)
rails.up(1)
rails.down(1)
packs = Column(-2.5, 53.5)
for level in (7, 3, 2):
    packs.machine(level, Prototype.ProductivityModule)
    packs.take(level, -1)
    packs.take(level, -1, far=True)
for level in (5, 0):
    packs.machine(level, Prototype.ElectricFurnace)
    packs.take(level, -1)
    packs.take(level, 1, far=True)
print(one_network(engine), "poles")
sleep(1140)
show_faults()
