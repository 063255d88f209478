package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
)

const maxMessage = 400 << 20

// frame is a message that is passed on without decoding it.
type frame struct{ bytes []byte }

type frameCodec struct{}

func (frameCodec) Name() string { return "proto" }

func (frameCodec) Marshal(message any) ([]byte, error) {
	sent, ok := message.(*frame)
	if !ok {
		return nil, fmt.Errorf("unexpected message %T", message)
	}
	return sent.bytes, nil
}

func (frameCodec) Unmarshal(bytes []byte, message any) error {
	received, ok := message.(*frame)
	if !ok {
		return fmt.Errorf("unexpected message %T", message)
	}
	received.bytes = append([]byte(nil), bytes...)
	return nil
}

// forward passes one call to the connection, and its responses back. All methods of a language host take one message.
func forward(method string, from grpc.ServerStream, connection *grpc.ClientConn) error {
	ctx := from.Context()
	if incoming, ok := metadata.FromIncomingContext(ctx); ok {
		ctx = metadata.NewOutgoingContext(ctx, incoming)
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	to, err := connection.NewStream(ctx, &grpc.StreamDesc{ServerStreams: true}, method)
	if err != nil {
		return err
	}
	var request frame
	if err := from.RecvMsg(&request); err != nil {
		return err
	}
	if err := to.SendMsg(&request); err != nil {
		return err
	}
	if err := to.CloseSend(); err != nil {
		return err
	}
	for {
		var response frame
		if err := to.RecvMsg(&response); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		if err := from.SendMsg(&response); err != nil {
			return err
		}
	}
}
