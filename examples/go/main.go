// A database with an HA replica and read replicas, in its own network.
package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"pulumi-clouddb.invalid/sdk/go/clouddb"
)

const region = "us-east-1"

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		protection, _ := ctx.GetConfig("clouddb:deletionProtection")
		network, err := clouddb.NewVpc(ctx, "network", &clouddb.VpcArgs{
			Cidr:       pulumi.String("10.0.0.0/20"),
			RegionCode: pulumi.String(region),
		})
		if err != nil {
			return err
		}
		orders, err := clouddb.NewService(ctx, "orders", &clouddb.ServiceArgs{
			RegionCode:   pulumi.String(region),
			CpuMillis:    pulumi.Int(1000),
			MemoryGbs:    pulumi.Int(4),
			ReplicaCount: pulumi.Int(1), // an HA replica that takes over when the primary fails
			VpcId:        network.VpcId,
			Environment:  clouddb.EnvironmentProd,
		}, pulumi.Protect(protection != "false")) // a preview then refuses a deletion, and a rename without an alias
		if err != nil {
			return err
		}
		reports, err := clouddb.NewReadReplicaSet(ctx, "reports", &clouddb.ReadReplicaSetArgs{
			ServiceId: orders.ServiceId,
			Nodes:     pulumi.Int(2),
			CpuMillis: pulumi.Int(500),
			MemoryGbs: pulumi.Int(2),
			Password:  orders.CurrentPassword,
		})
		if err != nil {
			return err
		}
		ctx.Export("connectionString", orders.ConnectionString)
		ctx.Export("urlInNetwork", orders.VpcConnectionString)
		ctx.Export("reportsUrl", reports.ConnectionString)
		return nil
	})
}
