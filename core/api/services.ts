/** Host services that modules may ask for, by class. */
export {
  type Artifact,
  type ArtifactFolder,
  artifactFolders,
  isArtifactFolder,
  type NewArtifact,
  type StoredContent,
  treeEntry,
} from '../artifacts/artifact.ts';
export { ArtifactFiles } from '../artifacts/artifact-file-store.ts';
export { artifactBase, artifactName } from '../artifacts/artifact-names.ts';
export type { ArtifactFilter } from '../artifacts/artifact-store.ts';
export { PlaybackArtifacts } from '../artifacts/playback-artifacts.ts';
export type { LocalContent } from '../artifacts/store-content.ts';
export { addressBlock } from '../auth/address-block.ts';
export { ApplicationPasswords } from '../auth/application-passwords.ts';
export { CapabilityTable } from '../auth/capabilities.ts';
export { Memberships } from '../auth/membership-store.ts';
export { PasswordLogin } from '../auth/password-login.ts';
export { type RateLimit, RateLimits } from '../auth/rate-limits.ts';
export { endedCookie, type NewSession, Sessions } from '../auth/sessions.ts';
export { SignedIn, type SignIn, signedIn, signIn } from '../auth/sign-in.ts';
export { SuperAdmins } from '../auth/super-admin-store.ts';
export { type Patience, Turns } from '../auth/turns.ts';
export type { NewUser, Place, User, UserChanges, UserHere } from '../auth/user.ts';
export { hashPassword, Users } from '../auth/users.ts';
export { Clock } from '../boot/clock.ts';
export { Commands } from '../boot/commands.ts';
export { ModuleHooks } from '../boot/module-hooks.ts';
export { Packages, type RescanResult } from '../boot/packages.ts';
export type { Attachment, AttachmentRow, AttachmentStatus } from '../content/attachments/attachment.ts';
export {
  AttachmentBatches,
  type BroughtAttachment,
} from '../content/attachments/attachment-batches.ts';
export type { AttachmentFields, NewAttachment } from '../content/attachments/attachment-fields.ts';
export type { AttachmentFilter } from '../content/attachments/attachment-list-store.ts';
export {
  mayEditAttachment,
  mayReadAttachment,
  type Reach,
  reachOf,
} from '../content/attachments/attachment-rights.ts';
export { Attachments, type Uploader } from '../content/attachments/attachments.ts';
export type { DerivedFiles, DerivedTally } from '../content/attachments/derived-files.ts';
export type { ExaminedFile, LocalFile } from '../content/attachments/examine-file.ts';
export {
  deleteFileJob,
  FileReplacements,
  type ReplacementFields,
  type ReplacingFile,
} from '../content/attachments/file-replacements.ts';
export { SiteFiles } from '../content/attachments/site-file-store.ts';
export { UnclaimedFiles } from '../content/attachments/unclaimed-files.ts';
export { canonicalHash, canonicalJson } from '../content/canonical-json.ts';
export {
  type Document,
  documentHash,
  documentKeys,
  documentText,
  type Editor,
  editorOf,
} from '../content/document.ts';
export { Documents } from '../content/documents.ts';
export { type HtmlToken, htmlTokens } from '../content/html-tokens.ts';
export { MetaKeys, type MetaValues, type RegisteredMeta } from '../content/meta-keys.ts';
export { operatorNetworkId, type ShownNetwork } from '../content/networks/network-record.ts';
export { Networks, type NetworkWish } from '../content/networks/networks.ts';
export { Notices } from '../content/notices.ts';
export { checkPage } from '../content/page-rules/check-page.ts';
export { checkPagebuilder } from '../content/page-rules/check-pagebuilder.ts';
export {
  pathsNamed,
  type ResolvedText,
  resolveLocal,
  type TextForm,
} from '../content/page-rules/local-references.ts';
export type { PageReport, PageStats, Problem, Severity } from '../content/page-rules/problem.ts';
export { type PageRules, standardWidgets, type WidgetWords } from '../content/page-rules/widget-words.ts';
export type { Post, PostStatus } from '../content/post.ts';
export { type BroughtPost, PostBatches } from '../content/post-batches.ts';
export type { PostFields } from '../content/post-fields.ts';
export type { PostLink, RefusedLink } from '../content/post-link-rules.ts';
export { PostLinks } from '../content/post-links.ts';
export type { ListedPost, PostFilter, PostOrder } from '../content/post-list-store.ts';
export {
  deletePost,
  editPost,
  mayCreate,
  mayEditOthers,
  mayPublish,
  readPost,
  viewerOf,
} from '../content/post-rights.ts';
export type { TermsOfPost } from '../content/post-terms-store.ts';
export { type ModulesOn, type PostType, PostTypes } from '../content/post-types.ts';
export { type NewPost, Posts } from '../content/posts.ts';
export { rewriteCssUrls } from '../content/rendering/css-urls.ts';
export { elementText, type HtmlElement, HtmlTree, UnreasonableHtml } from '../content/rendering/html-tree.ts';
export { inertHtml } from '../content/rendering/inert-html.ts';
export { PageRenderer, type Placeholder, type RenderedPage } from '../content/rendering/page-renderer.ts';
export {
  type FoundUrl,
  type ReplaceUrl,
  replaceUrls,
  rewriteUrls,
  urlsOf,
} from '../content/rendering/page-urls.ts';
export { rewriteSrcset } from '../content/rendering/srcset.ts';
export type { Revision, RevisionOrigin, RevisionSource } from '../content/revision.ts';
export { Revisions } from '../content/revisions.ts';
export type { RemovedSite } from '../content/sites/removed-site-store.ts';
export { RemovedSites } from '../content/sites/removed-sites.ts';
export { SiteAddresses } from '../content/sites/site-addresses.ts';
export { siteOrders } from '../content/sites/site-list-store.ts';
export { SitePurge } from '../content/sites/site-purge.ts';
export type { ShownSite, SiteRecord } from '../content/sites/site-record.ts';
export { type SiteChange, Sites, type SiteWish } from '../content/sites/sites.ts';
export { welcomeMailJob } from '../content/sites/welcome-mail.ts';
export { maxSlug, numberedSlug, sanitizeSlug } from '../content/slug.ts';
export { firstFree } from '../content/slug-numbers.ts';
export { Taxonomies, type Taxonomy } from '../content/taxonomies.ts';
export { ownerOf, type Term, type TermOwner } from '../content/term.ts';
export { type BroughtTerm, type FoundTerm, TermBatches } from '../content/term-batches.ts';
export { TermLists } from '../content/term-lists.ts';
export { type NewTerm, type TermChanges, Terms } from '../content/terms.ts';
export type { TermFilter } from '../content/terms-store.ts';
export { AttachmentCopies } from '../copy/attachment-copies.ts';
export { type CopyFlags, type CopyWish, copyFlagFields, copyFlags } from '../copy/copy-wish.ts';
export { FileReferences, type ReferenceCounts, type SiteFilePath } from '../copy/file-references.ts';
export { type MovedBatch, type MovedSite, MovedSites } from '../copy/moved-site.ts';
export { NamePatterns } from '../copy/name-patterns.ts';
export type { IdKind, NewId } from '../copy/references.ts';
export { rewriteIds } from '../copy/rewrite-ids.ts';
export { type Rewriting, rewriteMeta } from '../copy/rewrite-meta.ts';
export { type PostTexts, rewritePost } from '../copy/rewrite-post.ts';
export { type Owns, type SiteMove, UrlRewriter } from '../copy/rewrite-urls.ts';
export { type CopyBeginning, SiteCopies } from '../copy/site-copies.ts';
export { type SiteCopyJob, siteCopyJob } from '../copy/site-copy-job.ts';
export { type MoveTarget, UrlMoves } from '../copy/url-moves.ts';
export { Database, type NamedStatement } from '../db/database.ts';
export { containing } from '../db/like.ts';
export { lockUntilCommit } from '../db/locks.ts';
export { isForeignKeyViolation, isUniqueViolation, mayPass } from '../db/sql-errors.ts';
export { isMarkup } from '../files/active-content.ts';
export { isActive, sandboxPolicy } from '../files/content-headers.ts';
export { detectContentType } from '../files/content-type.ts';
export { FileLinks } from '../files/file-links.ts';
export { cleanFileName, extensionOf } from '../files/file-name.ts';
export { headOf } from '../files/head.ts';
export { mimeOfExtension, UNKNOWN_TYPE } from '../files/mime-types.ts';
export { readServedPath } from '../files/served-path.ts';
export { Storage } from '../files/storage.ts';
export { FileMissing, FileTooLarge, StorageFull } from '../files/storage-errors.ts';
export { decodeText } from '../files/text-content.ts';
export { WorkFolders } from '../files/work-folders.ts';
export { Addresses } from '../http/addresses.ts';
export { ErrorMapper } from '../http/error-mapper.ts';
export { etagOf, matchesEtag } from '../http/etag.ts';
export { refuseUnproved } from '../http/exchange.ts';
export { invalidParams, readFields } from '../http/input.ts';
export { jsonSchemaOf } from '../http/json-schema.ts';
export { isForeignOrigin } from '../http/own-origin.ts';
export { Html, html, scriptValue } from '../http/pages/html.ts';
export { pathOfUrl, sameSiteUrl } from '../http/same-site.ts';
export { UploadFolder } from '../http/upload-folder.ts';
export { Crashes } from '../isolation/crashes.ts';
export { type JobCollection, jobOperations } from '../jobs/job-operations.ts';
export { JobRecord, type JobRow, presentJob } from '../jobs/job-record.ts';
export { Jobs, type NewJob } from '../jobs/jobs.ts';
export { Schedules } from '../jobs/schedules.ts';
export { composeMail } from '../mail/compose.ts';
export { type Language, languageFor, languageWanted, timeInWords, type Words } from '../mail/languages.ts';
export type { Letter } from '../mail/letter.ts';
export { type Letterhead, Letterheads } from '../mail/letterhead.ts';
export { Mail } from '../mail/mail.ts';
export { type MailJob, mailJob } from '../mail/mail-job.ts';
export type { MailAddress, MailMessage } from '../mail/message.ts';
export {
  type MailWords,
  type WordedMail,
  wordedMailSettings,
  writeWordedMail,
} from '../mail/worded-mail.ts';
export { type ActiveFormat, ActiveFormats, type ActiveFormatsSource } from '../media/active-formats.ts';
export { type MediaInfo, type MediaProblem, mostPixels } from '../media/media-info.ts';
export { type MediaFacts, MediaProbe, mediaReaders } from '../media/media-probe.ts';
export { ModuleData, type RemovedData } from '../module-data/module-data.ts';
export { isAllowEntry } from '../outbound/allow-list.ts';
export type { Opened } from '../outbound/open-request.ts';
export { Outbound, type OutboundAnswer, type OutboundRequest } from '../outbound/outbound.ts';
export { OutboundError, type OutboundProblem } from '../outbound/outbound-error.ts';
export { type Refusal, refusalOf, requiredBy, standings } from '../registry/effective.ts';
export {
  type InstalledModule,
  type InstalledModules,
  loadedCondition,
  type ModuleSpec,
} from '../registry/spec.ts';
export { HostSettings } from '../settings/host-settings.ts';
export { Keys, maskedSecret, type Sealed, Secrets } from '../settings/secrets.ts';
export { SettingsService } from '../settings/settings.ts';
export type { PagePlace, PageReader } from '../shortcodes/page-place.ts';
export {
  type DynamicShortcode,
  type Expansion,
  type ListedShortcode,
  type ParsedShortcode,
  type ShortcodeFault,
  type ShortcodeProblem,
  Shortcodes,
} from '../shortcodes/shortcodes.ts';
export { type AuditEntry, audit } from '../state/audit.ts';
export { RecordWatch, type RecordWatching } from '../state/record-watch.ts';
export { bumpRevision, overrideRule, type SiteState } from '../state/site-state.ts';
export { State } from '../state/state.ts';
export { countFollowers, type WishPlace, writeWish } from '../state/wish-store.ts';
export { arrow, type Cue, type CueList, type TrackProblem } from '../tracks/cue.ts';
export { knownSettings } from '../tracks/cue-settings.ts';
export { canonicalTag, longestTag } from '../tracks/language-tag.ts';
export { type ParsedTrack, type PlacedCue, parseWebVtt } from '../tracks/parse-web-vtt.ts';
export { plainCueText } from '../tracks/plain-cue-text.ts';
export {
  defaultGroup,
  type TextTrack,
  type TrackColumns,
  type TrackKind,
  trackKinds,
} from '../tracks/text-track.ts';
export { TextTrackStore } from '../tracks/text-track-store.ts';
export { TextTracks } from '../tracks/text-tracks.ts';
export { writeWebVtt } from '../tracks/write-web-vtt.ts';
