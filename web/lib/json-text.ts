/** JSON for readers: indented, and marks that would not be seen, or would reorder the line, as escapes. */
export const jsonText = (value: unknown): string =>
	JSON.stringify(value, null, 2).replace(/[\p{Cf}\u007f-\u009f]/gu, escaped);

const escaped = (mark: string): string =>
	[...Array(mark.length).keys()].map((place) => `\\u${mark.charCodeAt(place).toString(16).padStart(4, "0")}`).join("");
