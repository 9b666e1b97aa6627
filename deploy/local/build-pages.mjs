/**
 * Builds the pages for browsers (`web/`) into `web/dist`, unless what is there was made of the same sources. Plain JavaScript, because the
 * first step of every npm script runs it.
 *
 *     node deploy/local/build-pages.mjs
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../../", import.meta.url));
const web = join(root, "web");
const contract = join(root, "libs", "contract");
/** Pages and services both run this code. */
const shared = [join(contract, "documents", "programs.ts"), join(contract, "vocabulary.ts")];
const dist = join(web, "dist");
const noteOfSources = "sources.sha256";

const sources = hashOfSources();
if (!isBuiltOf(sources)) build();

function build() {
	// Aside, and then in its place at once: a gateway may be starting.
	const made = join(web, `dist-${process.pid}`);
	const vite = join(root, "node_modules", "vite", "bin", "vite.js");
	const args = [vite, "build", "--config", join(web, "vite.config.ts"), "--outDir", made];
	const { status } = spawnSync(process.execPath, args, {
		cwd: root,
		// A caller's NODE_ENV may be that of tests; pages are those of production.
		env: { ...process.env, NODE_ENV: "production" },
		stdio: ["ignore", 2, 2],
	});
	if (status !== 0) {
		rmSync(made, { recursive: true, force: true });
		throw new Error("The pages for browsers could not be built.");
	}
	writeFileSync(join(made, noteOfSources), sources);
	put(made);
}

/** Another process may have built the same meanwhile. */
function put(made) {
	rmSync(dist, { recursive: true, force: true });
	try {
		renameSync(made, dist);
	} catch (error) {
		rmSync(made, { recursive: true, force: true });
		if (!isBuiltOf(sources)) throw error;
	}
}

function isBuiltOf(sources) {
	const note = join(dist, noteOfSources);
	return existsSync(note) && readFileSync(note, "utf8") === sources;
}

function hashOfSources() {
	const hash = createHash("sha256");
	const files = [web, join(contract, "schemas")]
		.flatMap((folder) => readdirSync(folder, { recursive: true, withFileTypes: true }))
		.filter((entry) => entry.isFile())
		.map((entry) => join(entry.parentPath, entry.name))
		.filter((path) => !path.startsWith(dist));
	for (const path of [...files.sort(), ...shared, join(root, "package-lock.json")]) {
		hash.update(path.slice(root.length)).update("\0").update(readFileSync(path)).update("\0");
	}
	return hash.digest("hex");
}
