import { createHash } from "node:crypto";
import { expect, it } from "vitest";
import { projectColumns, projectSchemaVersion } from "./project-columns.ts";

it("a column that comes, goes, moves or changes its type needs a new version", () => {
	const shape = projectColumns().map(({ name, type, nullable, unit }) => [name, type, nullable, unit]);
	const hash = createHash("sha256").update(JSON.stringify(shape)).digest("hex").slice(0, 16);
	expect({ [projectSchemaVersion]: hash }).toEqual({ "1.4": "e12c80bb5d18a823" });
});
