package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

// generateSDKs writes the SDK of each target, for example "go=sdk/go", to its folder.
func generateSDKs(schemaFile string, targets []string) error {
	text, err := os.ReadFile(schemaFile)
	if err != nil {
		return err
	}
	for _, target := range targets {
		name, folder, _ := strings.Cut(target, "=")
		if err := writePackage(languages[name], text, folder, nil); err != nil {
			return fmt.Errorf("generate %s: %w", name, err)
		}
	}
	return nil
}

// writePackage writes the SDK for a schema. It fails if the schema is invalid, and prints its warnings.
func writePackage(to language, text []byte, folder string, loader schema.ReferenceLoader) error {
	var spec schema.PackageSpec
	if err := json.Unmarshal(text, &spec); err != nil {
		return err
	}
	// A package belongs to one generator, which adds its settings to it. The schema refers to no other package.
	pkg, diagnostics, err := schema.BindSpec(spec, schema.NewCachedLoader(nil), schema.ValidationOptions{})
	for _, diagnostic := range diagnostics {
		fmt.Fprintln(os.Stderr, "schema:", diagnostic.Error())
	}
	if err != nil {
		return err
	}
	if diagnostics.HasErrors() {
		return diagnostics
	}
	files, err := to.generatePackage(pkg, loader)
	if err != nil {
		return err
	}
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
