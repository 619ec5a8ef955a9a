(* Orders and their lines *)
open Printf
module M = Map.Make (String)

type line = { price : int; mutable count : int }
type order = Empty | Order of string * line list
exception Full of int

let limit = 10
let rec total ?(start = 0) = function
  | [] -> start
  | { price; count } :: rest -> (price * count) + total ~start rest

let add order line =
  match order with
  | Empty -> Order ("none", [ line ])
  | Order (name, lines) when List.length lines < limit -> Order (name, line :: lines)
  | Order (_, lines) -> raise (Full (List.length lines))

let classify n = if n < 0 then "negative" else if n = 0 then "zero" else "positive\n"

module type S = sig
  val x : int
  val f : 'a -> 'a list
end

class counter = object (self)
  val mutable n = 0
  method incr = n <- n + 1; self#get
  method get = n
end

let () =
  let lines = List.map (fun p -> { price = p; count = 1 }) [ 1; 2; 3 ] in
  for i = 0 to 3 do printf "%d %s\n" i (classify i) done;
  while !r > 0 do r := !r - 1 done;
  try ignore (add Empty (List.hd lines)) with
  | Full n -> eprintf "full %d" n
  | Not_found -> ();
  lines |> List.filter (fun l -> l.count > 0) |> List.iter (fun l -> print_int l.price);
  print_string {|raw text|}; print_char 'c'
