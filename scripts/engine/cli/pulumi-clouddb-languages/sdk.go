package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	gogen "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

const tool = "pulumi-clouddb"

type packageGenerator func(*schema.Package, schema.ReferenceLoader) (map[string][]byte, error)

// A program in YAML needs no SDK.
var packageGenerators = map[string]packageGenerator{
	"go": func(pkg *schema.Package, _ schema.ReferenceLoader) (map[string][]byte, error) {
		return gogen.GeneratePackage(tool, pkg, nil)
	},
	"nodejs": func(pkg *schema.Package, loader schema.ReferenceLoader) (map[string][]byte, error) {
		return nodejs.GeneratePackage(tool, pkg, nil, nil, true, loader)
	},
	"python": func(pkg *schema.Package, loader schema.ReferenceLoader) (map[string][]byte, error) {
		return python.GeneratePackage(tool, pkg, nil, loader)
	},
	"yaml": func(*schema.Package, schema.ReferenceLoader) (map[string][]byte, error) {
		return nil, nil
	},
}

// generateSDKs writes the SDK of each target, for example "go=sdk/go", to its folder.
func generateSDKs(schemaFile string, targets []string) error {
	for _, target := range targets {
		language, folder, _ := strings.Cut(target, "=")
		generate, ok := packageGenerators[language]
		if !ok {
			return fmt.Errorf("no generator for %q", language)
		}
		// A package belongs to one generator, which adds its settings to it.
		text, err := os.ReadFile(schemaFile)
		if err != nil {
			return err
		}
		pkg, err := bindPackage(text, schemaFile)
		if err != nil {
			return err
		}
		files, err := generate(pkg, nil)
		if err != nil {
			return fmt.Errorf("generate %s: %w", language, err)
		}
		if err := writeFiles(folder, files); err != nil {
			return err
		}
	}
	return nil
}

// bindPackage fails if the schema is invalid, and prints its warnings after this name.
func bindPackage(text []byte, name string) (*schema.Package, error) {
	var spec schema.PackageSpec
	if err := json.Unmarshal(text, &spec); err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	// The schema refers to no other package.
	loader := schema.NewCachedLoader(nil)
	pkg, diagnostics, err := schema.BindSpec(spec, loader, schema.ValidationOptions{})
	for _, diagnostic := range diagnostics {
		fmt.Fprintf(os.Stderr, "%s: %s\n", name, diagnostic.Error())
	}
	if err != nil {
		return nil, err
	}
	if diagnostics.HasErrors() {
		return nil, fmt.Errorf("%s is not a valid schema", name)
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
