/** Runs in a separate thread: finds the lists that a workbook may be, by its sheets. */
import { answerInThread } from "#libs/files/in-thread.ts";
import { readWorkbook } from "#libs/files/workbook.ts";
import type { RawFile } from "../../../sources/source.ts";
import { sources } from "../../sources/index.ts";

answerInThread(async ({ bytes }: RawFile) => {
	const sheets = await readWorkbook(bytes);
	return sources.filter((source) => source.isWorkbook?.(sheets)).map(({ feed }) => feed);
});
