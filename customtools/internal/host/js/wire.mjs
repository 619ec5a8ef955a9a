// Messages as lines of JSON.

// frame is the text of a notification, or with an id of a request.
export const frame = (method, params, id) => JSON.stringify({ jsonrpc: '2.0', id, method, params });

// readLines calls receive with each line. A line that comes in many pieces is
// put together once, at its end: lines may have megabytes.
export function readLines(stream, receive) {
  let pieces = [];
  stream.on('data', (data) => {
    let from = 0;
    for (let end; (end = data.indexOf(10, from)) >= 0; from = end + 1) {
      pieces.push(data.subarray(from, end));
      const line = pieces.length === 1 ? pieces[0] : Buffer.concat(pieces);
      pieces = [];
      if (line.length > 0) receive(line.toString('utf8'));
    }
    if (from < data.length) pieces.push(data.subarray(from));
  });
}
