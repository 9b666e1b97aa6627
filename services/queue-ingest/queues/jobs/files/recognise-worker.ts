/** Runs in a thread of its own: looks on a workbook's sheets for the lists that it may be. */
import { answerInThread } from "#libs/files/in-thread.ts";
import { readWorkbook } from "#libs/files/workbook.ts";
import type { RawFile } from "../../../sources/source.ts";
import { sources } from "../../sources/index.ts";

answerInThread(async ({ bytes }: RawFile) => {
	const sheets = await readWorkbook(bytes);
	return sources.filter((source) => source.isWorkbook?.(sheets)).map(({ feed }) => feed);
});
