/** Tables in Markdown, which read as plain text as well. Pure. */

export const table = (head: readonly string[], rows: readonly (readonly string[])[]): string =>
	[head, head.map(() => "---"), ...rows].map((cells) => `| ${cells.join(" | ")} |`).join("\n");

/** Three decimals; a dash where there is nothing to measure. */
export const decimals = (value: number | null | undefined): string =>
	value === null || value === undefined ? "-" : value.toFixed(3);

export const percent = (share: number): string => `${Math.round(100 * share)} %`;
