import React, { useState } from "react";

interface Props { items: { id: number; name?: string }[]; onPick(id: number): void }

export const List: React.FC<Props> = ({ items, onPick }) => {
  const [open, setOpen] = useState<boolean>(false);
  return (
    <>
      <button type="button" onClick={() => setOpen(!open)} disabled>toggle &amp; go</button>
      {open ? (
        <ul className={`list ${open ? "open" : ""}`}>
          {items.map((item) => (
            <li key={item.id} {...item} onClick={() => onPick(item.id)}>{item.name ?? "none"}</li>
          ))}
        </ul>
      ) : null}
    </>
  );
};
