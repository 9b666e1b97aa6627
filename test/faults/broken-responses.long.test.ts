import { breakResponses, downloaded } from "./broken-responses.ts";

breakResponses(downloaded);
