import { describeRealFolder } from "./support/real-folder.ts";

describeRealFolder(true);
