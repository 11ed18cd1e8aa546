# What is there to build with, and where is the ore?
print(inspect_inventory())
ore = nearest(Resource.IronOre)
print(get_resource_patch(Resource.IronOre, ore))
