package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	gogen "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

const tool = "pulumi-clouddb"

var generators = map[string]func(*schema.Package) (map[string][]byte, error){
	"go": func(pkg *schema.Package) (map[string][]byte, error) {
		return gogen.GeneratePackage(tool, pkg, nil)
	},
	"python": func(pkg *schema.Package) (map[string][]byte, error) {
		return python.GeneratePackage(tool, pkg, nil, nil)
	},
}

// generateSDKs writes the SDK of each target, for example "go=sdk/go", to its folder.
func generateSDKs(schemaFile string, targets []string) error {
	for _, target := range targets {
		language, folder, _ := strings.Cut(target, "=")
		generate, ok := generators[language]
		if !ok {
			return fmt.Errorf("no generator for %q", language)
		}
		// A package belongs to one generator, which adds its settings to it.
		pkg, err := readPackage(schemaFile)
		if err != nil {
			return err
		}
		files, err := generate(pkg)
		if err != nil {
			return fmt.Errorf("generate %s: %w", language, err)
		}
		if err := writeFiles(folder, files); err != nil {
			return err
		}
	}
	return nil
}

// readPackage fails if the schema is invalid, and prints its warnings.
func readPackage(schemaFile string) (*schema.Package, error) {
	text, err := os.ReadFile(schemaFile)
	if err != nil {
		return nil, err
	}
	var spec schema.PackageSpec
	if err := json.Unmarshal(text, &spec); err != nil {
		return nil, fmt.Errorf("read %s: %w", schemaFile, err)
	}
	// The schema refers to no other package.
	loader := schema.NewCachedLoader(nil)
	pkg, diagnostics, err := schema.BindSpec(spec, loader, schema.ValidationOptions{})
	for _, diagnostic := range diagnostics {
		fmt.Fprintf(os.Stderr, "%s: %s\n", schemaFile, diagnostic.Error())
	}
	if err != nil {
		return nil, err
	}
	if diagnostics.HasErrors() {
		return nil, fmt.Errorf("%s is not a valid schema", schemaFile)
	}
	return pkg, nil
}

func writeFiles(folder string, files map[string][]byte) error {
	for name, content := range files {
		file := filepath.Join(folder, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(file, content, 0o644); err != nil {
			return err
		}
	}
	return nil
}
