//go:build tools

// Package tools names the one program this module exists to build, so that
// `go mod tidy` keeps its dependencies. The build tag keeps it out of builds.
package tools

import _ "github.com/pulumi/pulumi-java/pkg/cmd/pulumi-language-java"
