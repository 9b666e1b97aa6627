/** Inflates third parties' zip archives, up to a limit of inflated bytes. No I/O. */
import { crc32 } from "node:zlib";
import { type Entry, fromBufferPromise, type ZipFile } from "yauzl";
import { StructureError } from "./structure-error.ts";

export interface ArchiveLimits {
	/** Maximum inflated size of all wanted entries together. */
	maxInflatedBytes: number;
	/** Maximum entries in the directory, wanted or not. */
	maxEntries: number;
}

/** Whether the bytes begin like a zip archive with at least one entry, as every workbook does. */
export function isZip(bytes: Uint8Array): boolean {
	return bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4;
}

/** Whether the bytes begin like a gzip file. */
export function isGzip(bytes: Uint8Array): boolean {
	return bytes[0] === 0x1f && bytes[1] === 0x8b;
}

/**
 * Inflates the wanted entries of an archive. The sizes in the headers are not trusted: the inflated bytes are counted as they are produced, so
 * that a zip bomb is stopped at the limit.
 * @throws StructureError if the limit is exceeded or the archive is damaged
 */
export async function inflateArchive(
	bytes: Uint8Array,
	isWanted: (name: string) => boolean,
	limits: ArchiveLimits,
): Promise<{ names: string[]; entries: Map<string, Buffer> }> {
	const names: string[] = [];
	const entries = new Map<string, Buffer>();
	let budget = limits.maxInflatedBytes;
	try {
		const zip = await fromBufferPromise(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength), {
			lazyEntries: true,
		});
		if (zip.entryCount > limits.maxEntries)
			throw new StructureError(
				`the archive has ${zip.entryCount} entries, more than the maximum of ${limits.maxEntries}`,
			);
		for await (const entry of zip.eachEntry()) {
			names.push(entry.fileName);
			if (!isWanted(entry.fileName)) continue;
			const content = await inflateEntry(zip, entry, budget);
			budget -= content.length;
			entries.set(entry.fileName, content);
		}
	} catch (error) {
		if (error instanceof StructureError) throw error;
		const why = error instanceof Error ? error.message : String(error);
		throw new StructureError(`the archive is damaged or truncated: ${why}`, { cause: error });
	}
	return { names, entries };
}

async function inflateEntry(zip: ZipFile, entry: Entry, budget: number): Promise<Buffer> {
	const chunks: Buffer[] = [];
	let size = 0;
	for await (const chunk of await zip.openReadStreamPromise(entry)) {
		size += chunk.length;
		if (size > budget)
			throw new StructureError(`the archive inflates to more bytes than allowed (at ${entry.fileName})`);
		chunks.push(chunk);
	}
	return Buffer.concat(chunks, size);
}

/**
 * Writes the entries as an uncompressed archive. The workbook reader gets this archive instead of the original file: the reader follows the local
 * headers and `inflateArchive` the directory, so a crafted file could show different content to each. The new archive also has sizes in its local
 * headers: the reader refuses files without them, such as ISO-NE's.
 */
export function storeArchive(entries: ReadonlyMap<string, Buffer>): Buffer {
	const parts: Buffer[] = [];
	const directory: Buffer[] = [];
	let offset = 0;
	for (const [name, content] of entries) {
		const nameBytes = Buffer.from(name, "utf8");
		const common = commonHeader(nameBytes, content);
		const local = Buffer.concat([Buffer.from("PK\x03\x04", "latin1"), common, nameBytes, content]);
		const position = Buffer.alloc(14);
		position.writeUInt32LE(offset, 10);
		const version = Buffer.from([20, 0]);
		directory.push(Buffer.from("PK\x01\x02", "latin1"), version, common, position, nameBytes);
		parts.push(local);
		offset += local.length;
	}
	const directoryBytes = Buffer.concat(directory);
	return Buffer.concat([...parts, directoryBytes, endRecord(entries.size, directoryBytes.length, offset)]);
}

/** The 26 bytes that a local header and a directory record share: version needed to extra length. */
function commonHeader(name: Buffer, content: Buffer): Buffer {
	const utf8Names = 0x0800;
	const header = Buffer.alloc(26);
	header.writeUInt16LE(20, 0);
	header.writeUInt16LE(utf8Names, 2);
	header.writeUInt32LE(crc32(content), 10);
	header.writeUInt32LE(content.length, 14);
	header.writeUInt32LE(content.length, 18);
	header.writeUInt16LE(name.length, 22);
	return header;
}

function endRecord(count: number, directorySize: number, directoryOffset: number): Buffer {
	const end = Buffer.alloc(22);
	end.write("PK\x05\x06", "latin1");
	end.writeUInt16LE(count, 8);
	end.writeUInt16LE(count, 10);
	end.writeUInt32LE(directorySize, 12);
	end.writeUInt32LE(directoryOffset, 16);
	return end;
}
