// The other names of the packages that a tool may import.

declare module "@f5xc-salesdemos/xcsh" {
  export * from "@f5-sales-demo/xcsh";
}
declare module "@oh-my-pi/pi-coding-agent" {
  export * from "@f5-sales-demo/xcsh";
}
declare module "@mariozechner/pi-coding-agent" {
  export * from "@f5-sales-demo/xcsh";
}
declare module "@earendil-works/pi-coding-agent" {
  export * from "@f5-sales-demo/xcsh";
}
declare module "@f5-sales-demo/pi-ai" {
  export * from "@f5-sales-demo/xcsh";
}
declare module "@f5-sales-demo/pi-tui" {
  export * from "@f5-sales-demo/xcsh";
}
declare module "@f5-sales-demo/pi-utils" {
  export * from "@f5-sales-demo/xcsh";
}
declare module "@f5-sales-demo/pi-agent-core" {
  export * from "@f5-sales-demo/xcsh";
}
declare module "@f5xc-salesdemos/pi-ai" {
  export * from "@f5-sales-demo/xcsh";
}
declare module "@f5xc-salesdemos/pi-tui" {
  export * from "@f5-sales-demo/xcsh";
}
declare module "@f5xc-salesdemos/pi-utils" {
  export * from "@f5-sales-demo/xcsh";
}
declare module "@f5xc-salesdemos/pi-agent-core" {
  export * from "@f5-sales-demo/xcsh";
}
declare module "@oh-my-pi/pi-ai" {
  export * from "@f5-sales-demo/xcsh";
}
declare module "@oh-my-pi/pi-tui" {
  export * from "@f5-sales-demo/xcsh";
}
declare module "@oh-my-pi/pi-utils" {
  export * from "@f5-sales-demo/xcsh";
}
declare module "@oh-my-pi/pi-agent-core" {
  export * from "@f5-sales-demo/xcsh";
}
declare module "@mariozechner/pi-ai" {
  export * from "@f5-sales-demo/xcsh";
}
declare module "@mariozechner/pi-tui" {
  export * from "@f5-sales-demo/xcsh";
}
declare module "@mariozechner/pi-utils" {
  export * from "@f5-sales-demo/xcsh";
}
declare module "@mariozechner/pi-agent-core" {
  export * from "@f5-sales-demo/xcsh";
}
declare module "@earendil-works/pi-ai" {
  export * from "@f5-sales-demo/xcsh";
}
declare module "@earendil-works/pi-tui" {
  export * from "@f5-sales-demo/xcsh";
}
declare module "@earendil-works/pi-utils" {
  export * from "@f5-sales-demo/xcsh";
}
declare module "@earendil-works/pi-agent-core" {
  export * from "@f5-sales-demo/xcsh";
}
