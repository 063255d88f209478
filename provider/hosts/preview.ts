/** A hidden input that programs set during a preview. It is not stored in the state. */
export const previewKey = "__preview";
