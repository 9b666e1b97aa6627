import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";

const program = join(import.meta.dirname, "resolve.ts");
let folder: string;

beforeAll(async () => {
	folder = await mkdtemp(join(tmpdir(), "resolve-"));
});
afterAll(() => rm(folder, { recursive: true }));

interface Ended {
	code: number;
	stdout: string;
	stderr: string;
}

/** The program as a user runs it from `folder`. */
function run(args: string[], input = ""): Promise<Ended> {
	return new Promise((ended) => {
		const env = { ...process.env, INIT_CWD: folder };
		const child = execFile(process.execPath, [program, ...args], { env }, (error, stdout, stderr) => {
			ended({ code: typeof error?.code === "number" ? error.code : 0, stdout, stderr });
		});
		child.stdin?.end(input);
	});
}

describe("resolve", () => {
	it("writes a row for each name, in order, quoted where needed", async () => {
		await writeFile(join(folder, "names.txt"), '\ufeffNextEra Energy Seabrook, LLC\r\n\r\nGipper "G" Solar\nFPL\n');
		const { stdout, code } = await run(["names.txt"]);
		expect(stdout.split("\n")).toEqual([
			"raw_name,canonical_name,method,confidence",
			'"NextEra Energy Seabrook, LLC",NextEra Energy Resources,developer_prefix,0.9',
			",,,",
			'"Gipper ""G"" Solar",,,',
			"FPL,FPL,developer_exact,1",
			"",
		]);
		expect(code).toBe(0);
	});

	it("reads standard input", async () => {
		expect((await run(["-"], "sPower")).stdout).toContain("sPower,AES,developer_alias,1\n");
	});

	it("reports wrong and missing links", async () => {
		const labels = "raw_name,expected_canonical,kind\nFPL,AES,a\nGipper Solar,AES,b\nFPL,,b\nAES,AES,b\n";
		await writeFile(join(folder, "labels.csv"), labels);
		expect((await run(["--evaluate", "labels.csv"])).stdout.split("\n")).toEqual([
			"wrong  a: FPL -> FPL (developer_exact), expected AES",
			"missing  b: Gipper Solar -> new, expected AES",
			"wrong  b: FPL -> FPL (developer_exact), expected none",
			"a: 1 names, 0 right, 1 wrong, 1 missing: precision 0.000, recall 0.000",
			"b: 3 names, 1 right, 1 wrong, 1 missing: precision 0.500, recall 0.500",
			"all: 4 names, 1 right, 2 wrong, 2 missing: precision 0.333, recall 0.333",
			"",
		]);
	});

	it("reports errors as one sentence", async () => {
		await writeFile(join(folder, "other.csv"), "a,b\n1,2\n");
		for (const [args, sentence] of [
			[["nothing.txt"], "cannot be read"],
			[[], "name one file"],
			[["a", "b"], "name one file"],
			[["--what"], "Unknown option"],
			[["--evaluate", "other.csv"], "needs the columns raw_name and expected_canonical"],
		] as const) {
			const { code, stderr } = await run([...args]);
			expect(code).toBe(1);
			expect(stderr).toContain(sentence);
			expect(stderr.split("\n")).toHaveLength(2);
		}
	});
});

const root = process.env.REAL_DATA_DIR ?? resolve(import.meta.dirname, "../../../shared/data");
const labelled = join(root, "developers/labelled_names.csv");
if (!existsSync(labelled)) console.warn(`Test on real names skipped: ${labelled} does not exist (set REAL_DATA_DIR).`);

describe.skipIf(!existsSync(labelled))("real names labelled by hand", () => {
	it("are linked with a precision of at least 0.98 and a recall of at least 0.9", async () => {
		const { stdout } = await run(["--evaluate", labelled]);
		const [, names, precision, recall] = /^all: (\d+) names.*precision ([\d.]+), recall ([\d.]+)$/m.exec(stdout) ?? [];
		expect(Number(names)).toBeGreaterThan(200);
		expect(Number(precision)).toBeGreaterThanOrEqual(0.98);
		expect(Number(recall)).toBeGreaterThanOrEqual(0.9);
	});
});
