package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/hashicorp/hcl/v2"
	gogen "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/hcl2/syntax"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/pcl"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
	"github.com/pulumi/pulumi/pkg/v3/resource/plugin"
	"github.com/pulumi/pulumi/sdk/v3/go/common/util/rpcutil"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/emptypb"
)

type programGenerator func(*pcl.Program) (map[string][]byte, hcl.Diagnostics, error)

var programGenerators = map[string]programGenerator{
	"go":     gogen.GenerateProgram,
	"nodejs": nodejs.GenerateProgram,
	"python": python.GenerateProgram,
}

// languageHost generates programs. It cannot run them.
type languageHost struct {
	pulumirpc.UnimplementedLanguageRuntimeServer
	generate programGenerator
}

func serveHost(language string) error {
	generate, ok := programGenerators[language]
	if !ok {
		return fmt.Errorf("no program generator for %s", language)
	}
	handle, err := rpcutil.ServeWithOptions(rpcutil.ServeOptions{Init: func(server *grpc.Server) error {
		pulumirpc.RegisterLanguageRuntimeServer(server, &languageHost{generate: generate})
		return nil
	}})
	if err != nil {
		return err
	}
	fmt.Println(handle.Port)
	return <-handle.Done
}

func (host *languageHost) GetPluginInfo(context.Context, *emptypb.Empty) (*pulumirpc.PluginInfo, error) {
	return &pulumirpc.PluginInfo{}, nil
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
	source, diagnostics, err := host.generate(program)
	if err != nil {
		return nil, err
	}
	response.Source = source
	response.Diagnostics = append(response.Diagnostics, plugin.HclDiagnosticsToRPCDiagnostics(diagnostics)...)
	return response, nil
}
