/** A folder of a test's own and the processes that it starts there, whatever becomes of the test. */
import { spawnSync } from "node:child_process";
import {
	chmodSync,
	existsSync,
	mkdtempSync,
	readdirSync,
	readFileSync,
	realpathSync,
	rmSync,
	statfsSync,
	statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Children } from "../../deploy/local/children.ts";
import { lockDirectory, lockHolder } from "../../deploy/local/lock.ts";
import { removePlace } from "../../deploy/local/postgres-place.ts";
import { stopOrphans } from "../../deploy/local/process-record.ts";

/** The next run finds what a killed one left by this file and the lock. */
const prefix = "energy-test-";

export interface Home {
	directory: string;
	/** Closed with the home, before the folder goes. */
	children: Children;
	[Symbol.asyncDispose](): Promise<void>;
}

const memory = "/dev/shm";
const memoryBytes = 4 * 1024 ** 3;

/** A folder in memory where the system lets this process have 4 GB of it, else the one for temporary files. */
export function inMemory(): string {
	if (!existsSync(memory)) return tmpdir();
	const { bavail, bsize } = statfsSync(memory);
	return Math.min(bavail * bsize, process.availableMemory()) >= memoryBytes ? memory : tmpdir();
}

/** `mount` puts a disk of its own there, before anything is written; it is given back at the end. */
export function openHome(mount?: (directory: string) => Disposable, parent = tmpdir()): Home {
	const directory = realpathSync(mkdtempSync(join(parent, prefix)));
	const disk = mount?.(directory);
	// PostgreSQL's own user has to pass through.
	chmodSync(directory, 0o711);
	lockDirectory(directory);
	const children = new Children(directory);
	return {
		directory,
		children,
		async [Symbol.asyncDispose]() {
			await children.close();
			removePlace(directory);
			disk?.[Symbol.dispose]();
			removeFolder(directory);
		},
	};
}

/** @throws Error where no process of that name runs */
export function pidOf(children: Children, name: string): number {
	const child = children.running.find((each) => each.name === name);
	if (child === undefined) throw new Error(`${name} does not run`);
	return child.pid;
}

/** PostgreSQL's sessions are processes of their own. Linux lists them; elsewhere the first process is all that is found. */
export function childrenOf(pid: number): number[] {
	const path = `/proc/${pid}/task/${pid}/children`;
	if (!existsSync(path)) return [];
	return readFileSync(path, "utf8").split(" ").filter(Boolean).map(Number);
}

export function signal(pid: number, name: NodeJS.Signals): void {
	try {
		process.kill(pid, name);
	} catch (error) {
		// The process ended in this very moment.
		if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
	}
}

/** Files may still be written by what is just ending. */
const removeFolder = (directory: string) => rmSync(directory, { recursive: true, force: true, maxRetries: 5 });

/** Stops processes and removes files of this user's killed test runs. */
export async function removeLeftovers(): Promise<void> {
	for (const parent of new Set([tmpdir(), ...(existsSync(memory) ? [memory] : [])])) await removeLeftoversIn(parent);
}

async function removeLeftoversIn(parent: string): Promise<void> {
	for (const name of readdirSync(parent).filter((entry) => entry.startsWith(prefix))) {
		// Another run may be clearing up after itself at this moment.
		const found = statSync(join(parent, name), { throwIfNoEntry: false });
		if (found === undefined || found.uid !== process.getuid?.()) continue;
		const directory = join(realpathSync(parent), name);
		if (!existsSync(join(directory, "lock")) || lockHolder(directory) !== undefined) continue;
		await stopOrphans(directory);
		removePlace(directory);
		// A small disk (test/faults) stays mounted when its run is killed.
		spawnSync("umount", ["--lazy", directory]);
		try {
			removeFolder(directory);
		} catch (error) {
			// The run that it belongs to has removed the same files in this moment.
			if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
		}
	}
}
