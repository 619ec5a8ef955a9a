package customtools

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
)

// Argument values keep the order of the keys that the caller wrote, which a
// map loses: a failure shows the arguments as they came. A value is nil, a
// bool, a string, a [json.Number], a []any or an *object. Values are never
// changed in place: what differs is a copy.

// object is a JSON object. Its names are unique.
type object struct{ members []member }

type member struct {
	name  string
	value any
}

func (o *object) index(name string) int {
	for i := range o.members {
		if o.members[i].name == name {
			return i
		}
	}
	return -1
}

// MarshalJSON writes the members in their order.
func (o *object) MarshalJSON() ([]byte, error) {
	buf := bytes.NewBufferString("{")
	for i, m := range o.members {
		if i > 0 {
			buf.WriteByte(',')
		}
		name, err := encodeValue(m.name)
		if err != nil {
			return nil, err
		}
		value, err := encodeValue(m.value)
		if err != nil {
			return nil, err
		}
		buf.Write(name)
		buf.WriteByte(':')
		buf.Write(value)
	}
	buf.WriteByte('}')
	return buf.Bytes(), nil
}

// encodeValue writes a value as JSON.stringify does: nothing is escaped for
// HTML.
func encodeValue(v any) (json.RawMessage, error) {
	var buf bytes.Buffer
	enc := json.NewEncoder(&buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n")), nil
}

// parseValue reads one JSON value and nothing after it.
func parseValue(text []byte) (any, error) {
	if !json.Valid(text) {
		var v any
		return nil, json.Unmarshal(text, &v)
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	return readValue(dec)
}

func readValue(dec *json.Decoder) (any, error) {
	token, err := dec.Token()
	if err != nil {
		return nil, err
	}
	switch token {
	case json.Delim('{'):
		return readMembers(dec)
	case json.Delim('['):
		list := []any{}
		for dec.More() {
			v, err := readValue(dec)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		_, err := dec.Token()
		return list, err
	}
	return token, nil
}

func readMembers(dec *json.Decoder) (*object, error) {
	o := &object{}
	for dec.More() {
		token, err := dec.Token()
		if err != nil {
			return nil, err
		}
		name := fmt.Sprint(token)
		value, err := readValue(dec)
		if err != nil {
			return nil, err
		}
		if i := o.index(name); i >= 0 {
			o.members[i].value = value
		} else {
			o.members = append(o.members, member{name, value})
		}
	}
	_, err := dec.Token()
	return o, err
}

// plain turns a value into the maps that the schema library reads.
func plain(v any) any {
	switch v := v.(type) {
	case *object:
		m := make(map[string]any, len(v.members))
		for _, member := range v.members {
			m[member.name] = plain(member.value)
		}
		return m
	case []any:
		list := make([]any, len(v))
		for i := range v {
			list[i] = plain(v[i])
		}
		return list
	}
	return v
}

// at returns what lies at a path of names and indexes.
func at(v any, path []string) (any, bool) {
	for _, step := range path {
		switch container := v.(type) {
		case *object:
			i := container.index(step)
			if i < 0 {
				return nil, false
			}
			v = container.members[i].value
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i < 0 || i >= len(container) {
				return nil, false
			}
			v = container[i]
		default:
			return nil, false
		}
	}
	return v, true
}

// replaceAt returns v with the value at an existing path replaced.
func replaceAt(v any, path []string, value any) any {
	if len(path) == 0 {
		return value
	}
	switch container := v.(type) {
	case *object:
		i := container.index(path[0])
		copied := &object{append([]member(nil), container.members...)}
		copied.members[i].value = replaceAt(copied.members[i].value, path[1:], value)
		return copied
	case []any:
		i, _ := strconv.Atoi(path[0])
		copied := append([]any(nil), container...)
		copied[i] = replaceAt(copied[i], path[1:], value)
		return copied
	}
	return v
}
