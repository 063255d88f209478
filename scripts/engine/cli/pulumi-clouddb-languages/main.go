// Command pulumi-clouddb-languages generates code with the libraries of Pulumi's command line interface, because the
// language hosts that can be built from the Go module proxy cannot.
//
//	pulumi-clouddb-languages sdk SCHEMA LANGUAGE=FOLDER...    writes an SDK for each language
//	pulumi-language-NAME ARGUMENT...                          a language host that generates programs and packages, for
//	                                                          `pulumi import` and `pulumi package add`, and forwards
//	                                                          all other calls to the next host of this name on PATH
package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

const hostPrefix = "pulumi-language-"

func main() {
	if err := run(os.Args); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(args []string) error {
	name := strings.TrimSuffix(filepath.Base(args[0]), ".exe")
	if language, ok := strings.CutPrefix(name, hostPrefix); ok {
		return serveHost(language, args[1:])
	}
	if len(args) < 4 || args[1] != "sdk" {
		return fmt.Errorf("usage: %s sdk SCHEMA LANGUAGE=FOLDER...", name)
	}
	return generateSDKs(args[2], args[3:])
}
