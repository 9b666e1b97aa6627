import type { Handler } from "#libs/contract/index.ts";
import { docsPage } from "../documents/docs.ts";

export const getDocs: Handler<"getDocs"> = async () => ({ json: docsPage, dataVersion: 0 });
