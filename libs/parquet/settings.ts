/** Settings of every service that writes extracts, by environment variable. */
import { tmpdir } from "node:os";
import { z } from "zod";

export const extractSettings = {
	EXTRACTS_DIR: z.string().min(1).default(tmpdir()).describe("Folder for the temporary files of extracts"),
};
