package main

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

func linkGo(program, sdk string) error {
	module, err := output(filepath.Join(program, sdk), "go", "list", "-m")
	if err != nil {
		return err
	}
	replacement := fmt.Sprintf("%s=./%s", strings.TrimSpace(module), filepath.ToSlash(sdk))
	_, err = output(program, "go", "mod", "edit", "-replace", replacement)
	return err
}

func linkNodejs(program, sdk string) error {
	text, err := os.ReadFile(filepath.Join(program, sdk, "package.json"))
	if err != nil {
		return err
	}
	var manifest struct{ Name string }
	if err := json.Unmarshal(text, &manifest); err != nil {
		return err
	}
	dependency := fmt.Sprintf("dependencies.%s=file:%s", manifest.Name, filepath.ToSlash(sdk))
	_, err = output(program, "npm", "pkg", "set", dependency)
	return err
}

func linkPython(program, sdk string) error {
	file := filepath.Join(program, "requirements.txt")
	text, err := os.ReadFile(file)
	if err != nil && !os.IsNotExist(err) {
		return err
	}
	lines := strings.FieldsFunc(string(text), func(char rune) bool { return char == '\n' || char == '\r' })
	if slices.Contains(lines, sdk) {
		return nil
	}
	return os.WriteFile(file, []byte(strings.Join(append(lines, sdk), "\n")+"\n"), 0o644)
}

// output runs a command in a folder. An error contains what it printed.
func output(folder, command string, args ...string) (string, error) {
	process := exec.Command(command, args...)
	process.Dir = folder
	printed, err := process.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%s %s: %w\n%s", command, args[0], err, printed)
	}
	return string(printed), nil
}
