package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/pulumi/pulumi/pkg/v3/codegen/hcl2/syntax"
	"github.com/pulumi/pulumi/pkg/v3/codegen/pcl"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
	"github.com/pulumi/pulumi/pkg/v3/resource/plugin"
	"github.com/pulumi/pulumi/sdk/v3/go/common/util/rpcutil"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc"
)

// languageHost generates code. It forwards all other calls to the next host of its language.
type languageHost struct {
	pulumirpc.UnimplementedLanguageRuntimeServer
	language
}

func serveHost(name string, args []string) error {
	host := &languageHost{language: languages[name]}
	next, err := startNext(hostPrefix+name, args)
	if err != nil {
		return err
	}
	own := []string{"GeneratePackage", "Link"}
	if host.generateProgram != nil {
		own = append(own, "GenerateProgram")
	}
	service := pulumirpc.LanguageRuntime_ServiceDesc
	service.Streams = nil
	service.Methods = slices.DeleteFunc(slices.Clone(service.Methods), func(method grpc.MethodDesc) bool {
		return !slices.Contains(own, method.MethodName)
	})
	handle, err := rpcutil.ServeWithOptions(rpcutil.ServeOptions{
		Init: func(server *grpc.Server) error {
			server.RegisterService(&service, host)
			return nil
		},
		Options: []grpc.ServerOption{grpc.UnknownServiceHandler(forwardTo(next))},
	})
	if err != nil {
		return err
	}
	fmt.Println(handle.Port)
	return <-handle.Done
}

func (host *languageHost) GeneratePackage(
	_ context.Context, request *pulumirpc.GeneratePackageRequest,
) (*pulumirpc.GeneratePackageResponse, error) {
	loader, err := schema.NewLoaderClient(request.LoaderTarget)
	if err != nil {
		return nil, err
	}
	err = writePackage(host.language, []byte(request.Schema), request.Directory, schema.NewCachedLoader(loader))
	return &pulumirpc.GeneratePackageResponse{}, err
}

func (host *languageHost) Link(_ context.Context, request *pulumirpc.LinkRequest) (*pulumirpc.LinkResponse, error) {
	for _, one := range request.Packages {
		if err := host.link(request.Info.ProgramDirectory, one.Path); err != nil {
			return nil, err
		}
	}
	return &pulumirpc.LinkResponse{}, nil
}

func (host *languageHost) GenerateProgram(
	_ context.Context, request *pulumirpc.GenerateProgramRequest,
) (*pulumirpc.GenerateProgramResponse, error) {
	loader, err := schema.NewLoaderClient(request.LoaderTarget)
	if err != nil {
		return nil, err
	}
	parser := syntax.NewParser()
	for path, text := range request.Source {
		if err := parser.ParseFile(strings.NewReader(text), path); err != nil {
			return nil, err
		}
	}
	if parser.Diagnostics.HasErrors() {
		return nil, parser.Diagnostics
	}
	options := []pcl.BindOption{pcl.PreferOutputVersionedInvokes}
	if !request.Strict {
		options = append(options, pcl.NonStrictBindOptions()...)
	}
	program, diagnostics, err := pcl.BindProgram(parser.Files, schema.NewCachedLoader(loader), options...)
	if err != nil {
		return nil, err
	}
	response := &pulumirpc.GenerateProgramResponse{Diagnostics: plugin.HclDiagnosticsToRPCDiagnostics(diagnostics)}
	if diagnostics.HasErrors() || program == nil {
		return response, nil
	}
	source, diagnostics, err := host.generateProgram(program)
	if err != nil {
		return nil, err
	}
	response.Source = source
	response.Diagnostics = append(response.Diagnostics, plugin.HclDiagnosticsToRPCDiagnostics(diagnostics)...)
	return response, nil
}
