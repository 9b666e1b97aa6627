/** A data folder that cannot be used ends the start with one sentence. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, test } from "vitest";
import { openDataDir, port, secret } from "../../deploy/local/data-dir.ts";
import { readOptions } from "../../deploy/local/options.ts";

const folder = mkdtempSync(join(tmpdir(), "energy-data-"));
afterAll(() => rmSync(folder, { recursive: true }));
const file = join(folder, "file");
writeFileSync(file, "");

test.each(["/proc/x/y", "/proc", join(file, "x"), file])("DATA_DIR=%s", (path) => {
	expect(() => openDataDir(path)).toThrow(
		new RegExp(`^The data folder ${path} cannot be used \\(E.+\\): set DATA_DIR`),
	);
});

test.each(["", "{", '{"gateway": "s3cr', "[]", "null", '"text"'])(
	"ports.json and secrets.json with %j are refused with a remedy",
	async (text) => {
		const dataDir = mkdtempSync(join(folder, "d"));
		for (const name of ["ports.json", "secrets.json"]) writeFileSync(join(dataDir, name), text);
		const reason = "cannot be read (it holds no JSON object)";
		await expect(port(dataDir, "gateway")).rejects.toThrow(`${join(dataDir, "ports.json")} ${reason}: remove it`);
		expect(() => secret(dataDir, "gateway")).toThrow(`${join(dataDir, "secrets.json")} ${reason}: restore it`);
	},
);

test.each([0, -1, 70_000, "80"])("a port of %j is replaced by a free one", async (last) => {
	const dataDir = mkdtempSync(join(folder, "d"));
	writeFileSync(join(dataDir, "ports.json"), JSON.stringify({ directory: dataDir, gateway: last }));
	expect(await port(dataDir, "gateway")).toBeGreaterThan(1_000);
});

test("folders of lists are loaded one after the other, service by service", () => {
	const { load } = readOptions(["--data", folder, "--data", "."], { INIT_CWD: folder });
	const both = ["scoring", "queue-ingest", "signals"].flatMap((service) => [service, service]);
	expect(load).toEqual(both.map((service) => ({ service, args: ["--data", folder] })));
	expect(() => readOptions(["--data", folder, "--data", file], {})).toThrow(`--data: ${file} is no folder`);
});
