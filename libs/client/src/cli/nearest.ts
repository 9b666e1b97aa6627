/** The package contains a copy of this file, and nothing else of the contract. */
export { nearestWords } from "../../../contract/did-you-mean.ts";
