package lsp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// decodeArgument reads a command's argument into target, a pointer to a struct,
// and refuses what the struct does not have. required names fields that must be
// there.
func decodeArgument(call commandCall, target any, required ...string) error {
	if err := checkArgument(call, required...); err != nil {
		return err
	}
	if err := checkNames(call.argument, reflect.TypeOf(target).Elem(), ""); err != nil {
		return err
	}
	decoder := json.NewDecoder(bytes.NewReader(call.argument))
	decoder.UseNumber() // values that are passed on keep their digits
	return describeDecodeError(decoder.Decode(target), target)
}

// checkArgument refuses an argument that is no object with the required fields, or
// that gives a field twice anywhere: the last of two actions must not win.
func checkArgument(call commandCall, required ...string) error {
	if len(call.argument) == 0 {
		return argumentErrorf("the argument is missing: pass one JSON object")
	}
	var object map[string]json.RawMessage
	if err := json.Unmarshal(call.argument, &object); err != nil || object == nil {
		return argumentErrorf("the argument must be a JSON object")
	}
	for _, field := range required {
		if _, ok := object[field]; !ok {
			return argumentErrorf("%s is missing", field)
		}
	}
	return checkOnce(call.argument)
}

// checkOnce names a field that is given twice.
func checkOnce(argument json.RawMessage) error {
	_, err := jsontext.NewDecoder(bytes.NewReader(argument), jsontext.AllowInvalidUTF8(true)).ReadValue()
	var twice *jsontext.SyntacticError
	if !errors.Is(err, jsontext.ErrDuplicateName) || !errors.As(err, &twice) {
		return nil // what else is wrong is said elsewhere
	}
	path := ""
	for token := range twice.JSONPointer.Tokens() {
		if _, err := strconv.Atoi(token); err == nil {
			path += "[" + token + "]"
		} else {
			path = joinField(path, token)
		}
	}
	return argumentErrorf("%s is given twice", path)
}

// checkNames refuses a field that t, a struct or a list of structs, does not have
// under exactly that name: encoding/json would take "Action" for "action". path is
// where raw is in the argument. What t reads by a way of its own is left alone.
func checkNames(raw json.RawMessage, t reflect.Type, path string) error {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if reflect.PointerTo(t).Implements(reflect.TypeFor[json.Unmarshaler]()) {
		return nil
	}
	switch t.Kind() {
	case reflect.Slice:
		var list []json.RawMessage
		_ = json.Unmarshal(raw, &list) // decoding says what is wrong
		for i, item := range list {
			if err := checkNames(item, t.Elem(), fmt.Sprintf("%s[%d]", path, i)); err != nil {
				return err
			}
		}
	case reflect.Struct:
		var object map[string]json.RawMessage
		_ = json.Unmarshal(raw, &object)
		for _, name := range slices.Sorted(maps.Keys(object)) {
			full := joinField(path, name)
			field, ok := fieldNamed(t, name)
			if !ok {
				return argumentErrorf("unknown field %q", full)
			}
			if err := checkNames(object[name], field.Type, full); err != nil {
				return err
			}
		}
	}
	return nil
}

func joinField(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// fieldNamed finds the field of a struct that has this name in JSON.
func fieldNamed(t reflect.Type, name string) (reflect.StructField, bool) {
	for _, f := range reflect.VisibleFields(t) {
		if tag, _, _ := strings.Cut(f.Tag.Get("json"), ","); tag == name && f.IsExported() {
			return f, true
		}
	}
	return reflect.StructField{}, false
}

// describeDecodeError names the field in the words of whoever wrote the argument.
func describeDecodeError(err error, target any) error {
	var wrongType *json.UnmarshalTypeError
	switch {
	case err == nil:
		return nil
	case errors.As(err, &wrongType):
		name, wanted := fieldName(wrongType.Field), wrongType.Type.Kind()
		if isList(reflect.TypeOf(target).Elem(), name) && wanted != reflect.Slice {
			name = "each of " + name
		}
		return argumentErrorf("%s must be %s, not %s", name, describeType(wanted), wrongType.Value)
	}
	return argumentErrorf("%v", err)
}

// fieldName leaves out the names of embedded structs, which are no fields to a
// caller: JSON fields begin in lower case here.
func fieldName(path string) string {
	parts := strings.Split(path, ".")
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part != strings.ToLower(part[:1])+part[1:] }), ".")
}

// isList reports whether a struct's field with this name in JSON is a list.
func isList(t reflect.Type, name string) bool {
	f, ok := fieldNamed(t, name)
	return ok && f.Type.Kind() == reflect.Slice
}

func describeType(kind reflect.Kind) string {
	switch kind {
	case reflect.Slice:
		return "a list"
	case reflect.Struct, reflect.Map:
		return "an object"
	case reflect.Bool:
		return "true or false"
	case reflect.String:
		return "a string"
	case reflect.Float64:
		return "a number"
	}
	return "a whole number"
}
