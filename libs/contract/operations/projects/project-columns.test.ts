import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { fileColumns } from "../../exports/files.ts";
import { projectColumns, projectSchemaVersion } from "./project-columns.ts";

it("a column that is added, removed, moved or changes its type requires a new schema version", () => {
	const shape = fileColumns(projectColumns(), "parquet").map(({ name, type, nullable, unit }) => [
		name,
		type,
		nullable,
		unit,
	]);
	const hash = createHash("sha256").update(JSON.stringify(shape)).digest("hex").slice(0, 16);
	expect({ [projectSchemaVersion]: hash }).toEqual({ "1.7": "80087a3862d6f050" });
});
