// One service in each of two projects, with a token for each.
package main

import (
	"github.com/pulumi/pulumi/sdk/v3/go/pulumi"
	"pulumi-clouddb.invalid/sdk/go/clouddb"
)

func main() {
	pulumi.Run(func(ctx *pulumi.Context) error {
		first, err := service(ctx, "first", pulumi.String("shared"), pulumi.String("shared"))
		if err != nil {
			return err
		}
		second, err := service(ctx, "second", pulumi.Int(500), pulumi.Int(2))
		if err != nil {
			return err
		}
		ctx.Export("projects", pulumi.StringArray{first.ProjectId, second.ProjectId})
		ctx.Export("sizes", pulumi.Array{first.CpuMillis, second.CpuMillis})
		return nil
	})
}

func service(ctx *pulumi.Context, name string, cpuMillis, memoryGbs pulumi.Input) (*clouddb.Service, error) {
	setting := func(key string) pulumi.String {
		value, _ := ctx.GetConfig(ctx.Project() + ":" + name + key)
		return pulumi.String(value)
	}
	provider, err := clouddb.NewProvider(ctx, name, &clouddb.ProviderArgs{
		BaseUrl:     setting("Url"),
		ProjectId:   setting("Project"),
		AccessToken: setting("Token"),
	})
	if err != nil {
		return nil, err
	}
	args := &clouddb.ServiceArgs{CpuMillis: cpuMillis, MemoryGbs: memoryGbs}
	return clouddb.NewService(ctx, name+"-db", args, pulumi.Provider(provider))
}
