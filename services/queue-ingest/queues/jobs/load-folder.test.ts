import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { snapshotFiles } from "./load-folder.ts";

test("files are ordered by day, corrections after the files that they correct", async () => {
	const folder = await mkdtemp(join(tmpdir(), "lists-"));
	try {
		await mkdir(join(folder, "ercot"));
		const inOrder = ["June_2020", "July_2020", "July_2020_CORRECTION", "July_2020_CORRECTION2", "August_2020"];
		const paths = inOrder.map((month) => join("ercot", `GIS_Report_${month}.xlsx`));
		// The first bytes of a workbook are enough to recognise one.
		for (const path of [...paths].reverse()) await writeFile(join(folder, path), "PK\u0003\u0004");
		await writeFile(join(folder, "ercot", "notes.txt"), "none");
		const { files, ignored } = await snapshotFiles(folder);
		expect(files.map(({ path }) => path)).toEqual(paths);
		expect(ignored).toEqual([join("ercot", "notes.txt")]);
	} finally {
		await rm(folder, { recursive: true });
	}
});
