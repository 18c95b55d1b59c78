// Renders a chart like `helm template` does, with the same template engine and the same functions (text/template and sprig), where
// Helm itself cannot be had: render-chart CHART VALUES.json. The values are merged over the chart's own. Prints one JSON object: the
// rendered text by file, or an error.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"text/template"

	"github.com/Masterminds/sprig"
	"sigs.k8s.io/yaml"
)

type values = map[string]interface{}

func readYAML(path string) (values, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	read := values{}
	return read, yaml.Unmarshal(text, &read)
}

// over merges like Helm: maps by key, everything else is replaced.
func over(base, given values) values {
	for name, value := range given {
		inner, isMap := value.(values)
		below, wasMap := base[name].(values)
		if isMap && wasMap {
			base[name] = over(below, inner)
		} else {
			base[name] = value
		}
	}
	return base
}

// capitalized gives Chart.yaml's fields the names that templates use: appVersion is .Chart.AppVersion.
func capitalized(fields values) values {
	named := values{}
	for name, value := range fields {
		named[strings.ToUpper(name[:1])+name[1:]] = value
	}
	return named
}

func functions(all *template.Template) template.FuncMap {
	known := sprig.TxtFuncMap()
	delete(known, "env")
	delete(known, "expandenv")
	known["toYaml"] = func(value interface{}) (string, error) {
		text, err := yaml.Marshal(value)
		return strings.TrimSuffix(string(text), "\n"), err
	}
	known["fromYaml"] = func(text string) (values, error) {
		read := values{}
		return read, yaml.Unmarshal([]byte(text), &read)
	}
	known["include"] = func(name string, data interface{}) (string, error) {
		var out bytes.Buffer
		err := all.ExecuteTemplate(&out, name, data)
		return out.String(), err
	}
	known["required"] = func(message string, value interface{}) (interface{}, error) {
		if value == nil || value == "" {
			return nil, errors.New(message)
		}
		return value, nil
	}
	// what `helm upgrade` finds in the cluster: the file that CLUSTER names, by kind and name. Nothing, as with `helm template`, without it
	known["lookup"] = func(_, kind, _, name string) (values, error) {
		if os.Getenv("CLUSTER") == "" {
			return values{}, nil
		}
		cluster, err := readYAML(os.Getenv("CLUSTER"))
		if found, exists := cluster[kind+"/"+name].(values); exists {
			return found, err
		}
		return values{}, err
	}
	known["fail"] = func(message string) (string, error) { return "", errors.New(message) }
	return known
}

func render(chart, given string) (map[string]string, error) {
	own, err := readYAML(filepath.Join(chart, "values.yaml"))
	if err != nil {
		return nil, err
	}
	more, err := readYAML(given)
	if err != nil {
		return nil, err
	}
	about, err := readYAML(filepath.Join(chart, "Chart.yaml"))
	if err != nil {
		return nil, err
	}
	files, err := filepath.Glob(filepath.Join(chart, "templates", "*"))
	if err != nil {
		return nil, err
	}
	all := template.New("chart").Option("missingkey=zero")
	all.Funcs(functions(all))
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		if _, err := all.New(filepath.Base(file)).Parse(string(text)); err != nil {
			return nil, err
		}
	}
	data := values{
		"Values":  over(own, more),
		"Chart":   capitalized(about),
		"Release": values{"Name": "auth", "Namespace": "default", "Service": "Helm", "IsInstall": true, "IsUpgrade": false},
	}
	rendered := map[string]string{}
	for _, file := range files {
		name := filepath.Base(file)
		if strings.HasPrefix(name, "_") {
			continue
		}
		var out bytes.Buffer
		if err := all.ExecuteTemplate(&out, name, data); err != nil {
			return nil, err
		}
		// Helm prints missing values as nothing
		rendered[name] = strings.ReplaceAll(out.String(), "<no value>", "")
	}
	return rendered, nil
}

func main() {
	rendered, err := render(os.Args[1], os.Args[2])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	if err := json.NewEncoder(os.Stdout).Encode(rendered); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
