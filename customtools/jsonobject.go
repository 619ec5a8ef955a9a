package customtools

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"syscall"
)

// errNotObject is the failure of a JSON file that holds something else.
var errNotObject = errors.New("not a JSON object")

// jsonField is one field of an object.
type jsonField struct {
	name  string
	value json.RawMessage
}

// jsonObject is an object with its fields in the order of the file, which
// decides about the order of tools.
type jsonObject []jsonField

// parseObject reads a JSON object. Of two fields of one name the last counts,
// in the first's place.
func parseObject(text []byte) (jsonObject, error) {
	text = bytes.TrimPrefix(text, []byte("\ufeff"))
	if !json.Valid(text) {
		var v any
		return nil, json.Unmarshal(text, &v)
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	if start, err := dec.Token(); err != nil || start != json.Delim('{') {
		return nil, errNotObject
	}
	object := jsonObject{}
	for dec.More() {
		name, err := dec.Token()
		if err != nil {
			return nil, err
		}
		var value json.RawMessage
		if err := dec.Decode(&value); err != nil {
			return nil, err
		}
		object = object.with(fmt.Sprint(name), value)
	}
	return object, nil
}

func (o jsonObject) with(name string, value json.RawMessage) jsonObject {
	for i := range o {
		if o[i].name == name {
			o[i].value = value
			return o
		}
	}
	return append(o, jsonField{name, value})
}

// get returns the value of a field; nil where it is not there.
func (o jsonObject) get(name string) json.RawMessage {
	for _, f := range o {
		if f.name == name {
			return f.value
		}
	}
	return nil
}

// object returns the field as an object; nil where it is none.
func (o jsonObject) object(name string) jsonObject {
	object, err := parseObject(o.get(name))
	if err != nil {
		return nil
	}
	return object
}

// text returns the field as a string; "" where it is none.
func (o jsonObject) text(name string) string {
	s, _ := decode[string](o.get(name))
	return s
}

// texts returns the field as a list of strings.
func (o jsonObject) texts(name string) ([]string, bool) {
	return decode[[]string](o.get(name))
}

// decode reads raw as a T; false where it is null, nothing, or something else.
func decode[T any](raw json.RawMessage) (T, bool) {
	var v T
	if len(raw) == 0 || string(raw) == "null" || json.Unmarshal(raw, &v) != nil {
		var zero T
		return zero, false
	}
	return v, true
}

// readObject reads a file that holds a JSON object. A missing file is an error
// for isMissing.
func readObject(path string) (jsonObject, error) {
	text, err := readRegular(path)
	if err != nil {
		return nil, err
	}
	return parseObject(text)
}

// isMissing reports an error that means only that nothing is there.
func isMissing(err error) bool {
	return errors.Is(err, os.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}
