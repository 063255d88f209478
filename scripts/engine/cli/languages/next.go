package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"

	"github.com/pulumi/pulumi/pkg/v3/resource/plugin"
	"github.com/pulumi/pulumi/sdk/v3/go/common/util/rpcutil"
	"github.com/pulumi/pulumi/sdk/v3/go/common/workspace"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/types/known/emptypb"
)

const pathSeparator = string(os.PathListSeparator)

// nextHost is the next program of the same name on PATH. It starts with the first call.
type nextHost struct {
	program string
	args    []string

	once       sync.Once
	connection *grpc.ClientConn
	err        error
}

// forward passes a call of any method on. A message without known fields keeps its content unchanged.
func (host *nextHost) forward(_ any, incoming grpc.ServerStream) error {
	host.once.Do(func() { host.connection, host.err = host.start() })
	if host.err != nil {
		return host.err
	}
	method, _ := grpc.MethodFromServerStream(incoming)
	streams := &grpc.StreamDesc{ServerStreams: true, ClientStreams: true}
	outgoing, err := host.connection.NewStream(incoming.Context(), streams, method)
	if err != nil {
		return err
	}
	// Every method of a language host has one request.
	request := &emptypb.Empty{}
	if err := incoming.RecvMsg(request); err != nil {
		return err
	}
	if err := outgoing.SendMsg(request); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if err := outgoing.CloseSend(); err != nil {
		return err
	}
	for {
		response := &emptypb.Empty{}
		if err := outgoing.RecvMsg(response); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		if err := incoming.SendMsg(response); err != nil {
			return err
		}
	}
}

func (host *nextHost) start() (*grpc.ClientConn, error) {
	path, err := host.find()
	if err != nil {
		return nil, err
	}
	process := exec.Command(path, host.args...)
	process.Env = append(os.Environ(), "PATH="+strings.Join(append(localPackages(), os.Getenv("PATH")), pathSeparator))
	process.Stderr = os.Stderr
	output, err := process.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := process.Start(); err != nil {
		return nil, err
	}
	// The first line is the port. The rest is the output of programs.
	reader := bufio.NewReader(output)
	port, err := reader.ReadString('\n')
	if err != nil {
		return nil, fmt.Errorf("%s printed no port: %w", path, err)
	}
	go func() { _, _ = io.Copy(os.Stdout, reader) }()
	return grpc.NewClient("127.0.0.1:"+strings.TrimSpace(port),
		grpc.WithTransportCredentials(insecure.NewCredentials()), rpcutil.GrpcChannelOptions())
}

// localPackages returns the folders of plugins in the project file. Older hosts that load schemas themselves, such as the
// one of YAML, find a plugin only on PATH.
func localPackages() []string {
	project, err := workspace.LoadProject("Pulumi.yaml")
	if err != nil {
		return nil
	}
	var folders []string
	for _, one := range project.GetPackageSpecs() {
		if folder, err := filepath.Abs(one.Source); err == nil && plugin.IsLocalPluginPath(context.Background(), one.Source) {
			folders = append(folders, folder)
		}
	}
	return folders
}

func (host *nextHost) find() (string, error) {
	executable, err := os.Executable()
	if err != nil {
		return "", err
	}
	self, err := os.Stat(executable)
	if err != nil {
		return "", err
	}
	for _, folder := range filepath.SplitList(os.Getenv("PATH")) {
		path, err := exec.LookPath(filepath.Join(folder, host.program))
		if err != nil {
			continue
		}
		if other, err := os.Stat(path); err == nil && !os.SameFile(self, other) {
			return path, nil
		}
	}
	return "", fmt.Errorf("there is no other %s on PATH", host.program)
}
