package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pulumi/pulumi/sdk/v3/go/common/util/rpcutil"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/types/known/emptypb"
)

// startNext starts the next program of this name on PATH, and connects to it.
func startNext(program string, args []string) (*grpc.ClientConn, error) {
	executable, err := os.Executable()
	if err != nil {
		return nil, err
	}
	others := slices.DeleteFunc(filepath.SplitList(os.Getenv("PATH")), func(folder string) bool {
		return filepath.Clean(folder) == filepath.Dir(executable)
	})
	if err := os.Setenv("PATH", strings.Join(others, string(os.PathListSeparator))); err != nil {
		return nil, err
	}
	process := exec.Command(program, args...)
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
		return nil, fmt.Errorf("%s printed no port: %w", process.Path, err)
	}
	go func() { _, _ = io.Copy(os.Stdout, reader) }()
	return grpc.NewClient("127.0.0.1:"+strings.TrimSpace(port),
		grpc.WithTransportCredentials(insecure.NewCredentials()), rpcutil.GrpcChannelOptions())
}

// forwardTo passes a call of any method on. A message without known fields keeps its content unchanged.
func forwardTo(next *grpc.ClientConn) grpc.StreamHandler {
	return func(_ any, incoming grpc.ServerStream) error {
		method, _ := grpc.MethodFromServerStream(incoming)
		streams := &grpc.StreamDesc{ServerStreams: true, ClientStreams: true}
		outgoing, err := next.NewStream(incoming.Context(), streams, method)
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
}
