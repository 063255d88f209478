package main

import (
	"github.com/hashicorp/hcl/v2"
	gogen "github.com/pulumi/pulumi/pkg/v3/codegen/go"
	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/pcl"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

const tool = "pulumi-clouddb"

type language struct {
	generateProgram func(*pcl.Program) (map[string][]byte, hcl.Diagnostics, error)
	generatePackage func(*schema.Package, schema.ReferenceLoader) (map[string][]byte, error)
	// link adds a generated SDK to the dependencies of the program in a folder.
	link func(program, sdk string) error
}

var languages = map[string]language{
	"go": {
		generateProgram: gogen.GenerateProgram,
		generatePackage: func(pkg *schema.Package, _ schema.ReferenceLoader) (map[string][]byte, error) {
			return gogen.GeneratePackage(tool, pkg, nil)
		},
		link: linkGo,
	},
	"nodejs": {
		generateProgram: nodejs.GenerateProgram,
		generatePackage: func(pkg *schema.Package, loader schema.ReferenceLoader) (map[string][]byte, error) {
			return nodejs.GeneratePackage(tool, pkg, nil, nil, true, loader)
		},
		link: linkNodejs,
	},
	"python": {
		generateProgram: python.GenerateProgram,
		generatePackage: func(pkg *schema.Package, loader schema.ReferenceLoader) (map[string][]byte, error) {
			return python.GeneratePackage(tool, pkg, nil, loader)
		},
		link: linkPython,
	},
	// A program in YAML needs no SDK, and its language host generates programs.
	"yaml": {
		generatePackage: func(*schema.Package, schema.ReferenceLoader) (map[string][]byte, error) { return nil, nil },
		link:            func(string, string) error { return nil },
	},
}
