/**
 * Imports point one way: libraries and services import only what stands above them in `order`; no two folders of a service import each
 * other, over however many others, and no files do anywhere. Where files of third parties are read, a table of their words is a Map.
 */
import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const files = execFileSync("git", ["ls-files", "services", "libs", "web"], { cwd: root, encoding: "utf8" })
	.split("\n")
	.filter((file) => /\.tsx?$/.test(file) && !file.endsWith(".test.ts"));

/** Each folder imports only folders of lines above its own. */
const order = [
	["libs/counties", "libs/highlight"],
	["libs/contract"],
	["libs/client", "libs/files", "libs/names", "libs/postgres", "web"],
	["libs/bus"],
	["libs/service", "libs/parquet"],
	[
		...["services/billing", "services/gateway", "services/query", "services/queue-ingest", "services/scoring"],
		...["services/signals", "services/subscriptions"],
	],
];
/** Packages that one library alone imports. */
const owners: [RegExp, string][] = [
	[/^postgres$/, "libs/postgres"],
	[/^@nats-io\//, "libs/bus"],
];

type Graph = Map<string, Set<string>>;

function graphOf(files: readonly string[]): Graph {
	const imported = /\b(?:from|import)\s*\(?\s*"(\.[^"]+|#libs\/[^"]+)"/g;
	return new Map(
		files.map((file) => {
			const text = readFileSync(join(root, file), "utf8");
			const targets = [...text.matchAll(imported)].map(([, path = ""]) =>
				path.startsWith("#") ? path.slice(1) : normalize(join(dirname(file), path)),
			);
			return [file, new Set(targets)];
		}),
	);
}

/** The folder of a service that a file lies in, at most so many folders deep; undefined for one beside `main.ts`. */
function folderOf(file: string, depth: number): string | undefined {
	const folders = file.split("/").slice(0, -1);
	return folders[0] === "services" && folders.length > 2 ? folders.slice(0, 2 + depth).join("/") : undefined;
}

function foldersOf(graph: Graph, depth: number): Graph {
	const folders: Graph = new Map();
	for (const [file, targets] of graph) {
		const folder = folderOf(file, depth);
		if (folder === undefined) continue;
		const known = folders.get(folder) ?? new Set<string>();
		folders.set(folder, known);
		for (const target of targets) {
			const imported = folderOf(target, depth);
			if (imported !== undefined && imported !== folder) known.add(imported);
		}
	}
	return folders;
}

/** Takes away, again and again, what imports nothing that is left: circles remain, and what leads to them. */
function circlesOf(graph: Graph): string[] {
	const left = new Map([...graph].map(([name, targets]) => [name, new Set(targets)]));
	for (;;) {
		const ends = [...left].filter(([, targets]) => ![...targets].some((target) => left.has(target)));
		if (ends.length === 0) break;
		for (const [name] of ends) left.delete(name);
	}
	return [...left].map(
		([name, targets]) => `${name} -> ${[...targets].filter((target) => left.has(target)).join(", ")}`,
	);
}

const graph = graphOf(files);

test("an import cycle is detected", () => {
	const circle: Graph = new Map([
		["a", new Set(["b"])],
		["b", new Set(["c"])],
		["c", new Set(["a"])],
		["d", new Set(["e"])],
	]);
	expect(circlesOf(circle)).toEqual(["a -> b", "b -> c", "c -> a"]);
	expect(files.length).toBeGreaterThan(500);
	expect(graph.get("services/gateway/main.ts")?.has("services/gateway/config.ts")).toBe(true);
});

const folderIn = (file: string) => order.flat().find((folder) => file.startsWith(`${folder}/`));
const lineOf = (folder = "") => order.findIndex((line) => line.includes(folder));

test("every folder of the gateway is in the order, and imports only folders before it", () => {
	expect(files.filter((file) => folderIn(file) === undefined)).toEqual([]);
	const wrong = [...graph].flatMap(([file, targets]) =>
		[...targets]
			.filter((target) => folderIn(target) !== folderIn(file))
			.filter((target) => lineOf(folderIn(target)) >= lineOf(folderIn(file)))
			.map((target) => `${file} imports ${target}`),
	);
	expect(wrong).toEqual([]);
});

/** The text before the first declaration: further down, `import` is a part of a printed example. */
function importsOf(file: string): string {
	const [imports = ""] = readFileSync(join(root, file), "utf8").split(
		/^(?:export|const|let|function|class|interface|type|await)\b/m,
		1,
	);
	return imports;
}

test("only one library each imports PostgreSQL and NATS", () => {
	const wrong = files.flatMap((file) =>
		[...importsOf(file).matchAll(/^import [^"]*"([^".#][^"]*)"/gm)]
			.filter(([, name = ""]) => owners.some(([names, owner]) => names.test(name) && !file.startsWith(`${owner}/`)))
			.map(([, name]) => `${file} imports ${name}`),
	);
	expect(wrong).toEqual([]);
});

test("no files import each other in a cycle", () => expect(circlesOf(graph)).toEqual([]));

test("no folders of a service import each other in a cycle", () => expect(circlesOf(foldersOf(graph, 1))).toEqual([]));

test("no folders inside a subject of queue-ingest import each other in a cycle", () => {
	const queueIngest = new Map([...graph].filter(([file]) => file.startsWith("services/queue-ingest/")));
	expect(circlesOf(foldersOf(queueIngest, 2))).toEqual([]);
});

test("lookups of third-party values use maps, because objects inherit constructor and toString", () => {
	const readers = files.filter((file) =>
		/^services\/\w[\w-]+\/(.+\/)?(sources|domain|geography|developers)\//.test(file),
	);
	const indexed = readers.flatMap((file) => {
		const text = readFileSync(join(root, file), "utf8");
		return [...text.matchAll(/\bconst (\w+): [^=]*\bRecord<\s*string\b[^=]*= \{/g)]
			.map(([, name = ""]) => name)
			.filter((name) => new RegExp(`(?<!\\.)\\b${name}\\[(?!")`).test(text) && !text.includes(`Object.hasOwn(${name},`))
			.map((name) => `${file}: ${name}`);
	});
	expect([readers.length > 100, indexed]).toEqual([true, []]);
});
