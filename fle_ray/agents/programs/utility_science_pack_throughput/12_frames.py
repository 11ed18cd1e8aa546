# electric engines between frames; processing units; what they need of lubricant and acid
frames = Column(-27.5, 61.5)
for level in (0, 2, 4):
    frames.machine(level, Prototype.FlyingRobotFrame)
    frames.take(level, -1)
    frames.take(level, 1)
    frames.give(level, 1, far=True)
for level in (1, 3):
    frames.machine(level, Prototype.ElectricEngineUnit, facing=Direction.RIGHT)
    frames.arms[level][1] = 1  # the pipe of lubricant is in the middle
    frames.take(level, -1)
    frames.take(level, 1)
    frames.up(level)
    pipe_below(-25.5, -22.5, frames.y(level))
frames.down(1)
pipes((-21.5, frames.y(3)), (-21.5, frames.y(1)))
processing = Column(-9.5, 41.5)
for level in range(3):
    processing.machine(level, Prototype.ProcessingUnit)
    processing.take(level, 1)
    processing.take(level, 1)
    processing.take(level, -1)
    processing.give(level, 1, far=True)
    gap = processing.y(level) - 2
    pipes((-11.5, gap), (-9.5, gap))
    if level > 0:
        pipe_down(-11.5, gap + 1, gap + 3)
lane((-5.5, 32.5), (-5.5, 59.5))
# one refinery on advanced processing: lubricant from its heavy oil, gas from its light oil
pipes((refinery_x(3) + 1, CRUDE), (48.5, CRUDE), (48.5, REFINERIES + 3))
advanced_refinery = set_entity_recipe(put(Prototype.OilRefinery, 47.5, REFINERIES), RecipeName.AdvancedOilProcessing)
lubricant = set_entity_recipe(put(Prototype.ChemicalPlant, 44.5, 22.5), Prototype.Lubricant)
cracking = set_entity_recipe(put(Prototype.ChemicalPlant, 51.5, 22.5), RecipeName.LightOilCracking)
gas = get_entity(Prototype.Pipe, at(refinery_x(3) + 2, GAS))
pole(48.5, 22.5)
tunnel(advanced_refinery, lubricant)
tunnel(advanced_refinery, cracking)
tunnel(advanced_refinery, gas)
tunnel(cracking, gas)
east_water = put(Prototype.OffshorePump, -10.5, 18.5, Direction.RIGHT)
tunnel(east_water, cracking)
tunnel(east_water, advanced_refinery)
tunnel(lubricant, get_entity(Prototype.Pipe, at(-21.5, frames.y(3))))
print(one_network(engine), "poles")
# until the belts are full of what the packs are made of
sleep(480)
