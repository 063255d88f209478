package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"pulumi-clouddb.invalid/sdk/go/clouddb"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		protection, _ := ctx.GetConfig("clouddb:deletionProtection")
		orders, err := clouddb.NewService(ctx, "orders", &clouddb.ServiceArgs{
			CpuMillis: pulumi.Int(1000),
			MemoryGbs: pulumi.Int(4),
		}, pulumi.Protect(protection != "false")) // a preview then refuses a deletion, and a rename without an alias
		if err != nil {
			return err
		}
		ctx.Export("connectionString", orders.ConnectionString)
		return nil
	})
}
