import pulumi_clouddb as clouddb

clouddb.Service("environment", environment=1)
clouddb.Service("addons", addons=[2])
