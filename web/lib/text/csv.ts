interface Csv {
	columns: readonly { name: string }[];
	rows: readonly (readonly unknown[])[];
}

/** Formats rows as CSV (RFC 4180), as the API does: NULL is empty, an empty text is `""`; nested values are JSON. */
export function csvOf({ columns, rows }: Csv): string {
	const lines = [columns.map(({ name }) => quoted(name)), ...rows.map((row) => row.map(cellOf))];
	return lines.map((line) => `${line.join(",")}\r\n`).join("");
}

const cellOf = (value: unknown): string => {
	if (value === null || value === undefined) return "";
	return quoted(typeof value === "object" ? JSON.stringify(value) : String(value));
};

const quoted = (text: string): string =>
	/[",\r\n]/.test(text) || text === "" ? `"${text.replaceAll('"', '""')}"` : text;

/** Makes the browser save a file. */
export function saveFile(name: string, content: Blob): void {
	const address = URL.createObjectURL(content);
	const link = Object.assign(document.createElement("a"), { href: address, download: name });
	link.click();
	// The browser reads the object URL only some time after the click.
	setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
