import pydd

for device in pydd.devices():
    print(device.index, device.name, device.compute_capability, device.memory, device.driver)
