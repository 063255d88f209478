package main

import (
	"bufio"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/hashicorp/hcl/v2"
	gogen "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/hcl2/syntax"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/pcl"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
	"github.com/pulumi/pulumi/pkg/v3/resource/plugin"
	pulumirpc "github.com/pulumi/pulumi/sdk/v3/proto/go"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"
)

const generateProgramMethod = "/pulumirpc.LanguageRuntime/GenerateProgram"

var programGenerators = map[string]func(*pcl.Program) (map[string][]byte, hcl.Diagnostics, error){
	"go":     gogen.GenerateProgram,
	"nodejs": nodejs.GenerateProgram,
	"python": python.GenerateProgram,
}

// serveHost starts the language host and passes all calls to it, except GenerateProgram.
func serveHost(language string, args []string) error {
	file, err := nextOnPath(hostPrefix + language)
	if err != nil {
		return err
	}
	host := exec.Command(file, args...)
	host.Stderr = os.Stderr
	output, err := host.StdoutPipe()
	if err != nil {
		return err
	}
	if err := host.Start(); err != nil {
		return err
	}
	defer func() { _ = host.Process.Kill() }()
	reader := bufio.NewReader(output)
	port, err := reader.ReadString('\n')
	if err != nil {
		return fmt.Errorf("read the port of %s: %w", host.Path, err)
	}
	connection, err := grpc.NewClient("127.0.0.1:"+strings.TrimSpace(port),
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithDefaultCallOptions(grpc.ForceCodec(frameCodec{}), grpc.MaxCallRecvMsgSize(maxMessage)))
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := grpc.NewServer(grpc.ForceServerCodec(frameCodec{}), grpc.MaxRecvMsgSize(maxMessage),
		grpc.UnknownServiceHandler(func(_ any, stream grpc.ServerStream) error {
			method, _ := grpc.MethodFromServerStream(stream)
			if method == generateProgramMethod {
				return answerGenerateProgram(language, stream)
			}
			return forward(method, stream, connection)
		}))
	go func() {
		_, _ = reader.WriteTo(os.Stdout)
		_ = host.Wait()
		server.Stop()
	}()
	fmt.Println(listener.Addr().(*net.TCPAddr).Port)
	return server.Serve(listener)
}

// nextOnPath returns the first program of this name on PATH that is not this one.
func nextOnPath(name string) (string, error) {
	executable, err := os.Executable()
	if err != nil {
		return "", err
	}
	own, err := os.Stat(executable)
	if err != nil {
		return "", err
	}
	for _, folder := range filepath.SplitList(os.Getenv("PATH")) {
		file := filepath.Join(folder, name)
		if found, err := os.Stat(file); err == nil && !found.IsDir() && !os.SameFile(found, own) {
			return file, nil
		}
	}
	return "", fmt.Errorf("no %s on PATH after %s", name, executable)
}

func answerGenerateProgram(language string, stream grpc.ServerStream) error {
	generate, ok := programGenerators[language]
	if !ok {
		return status.Errorf(codes.Unimplemented, "no program generator for %s", language)
	}
	var received frame
	if err := stream.RecvMsg(&received); err != nil {
		return err
	}
	var request pulumirpc.GenerateProgramRequest
	if err := proto.Unmarshal(received.bytes, &request); err != nil {
		return err
	}
	response, err := generateProgram(&request, generate)
	if err != nil {
		return err
	}
	bytes, err := proto.Marshal(response)
	if err != nil {
		return err
	}
	return stream.SendMsg(&frame{bytes})
}

func generateProgram(
	request *pulumirpc.GenerateProgramRequest,
	generate func(*pcl.Program) (map[string][]byte, hcl.Diagnostics, error),
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
	source, diagnostics, err := generate(program)
	if err != nil {
		return nil, err
	}
	response.Source = source
	response.Diagnostics = append(response.Diagnostics, plugin.HclDiagnosticsToRPCDiagnostics(diagnostics)...)
	return response, nil
}
