// Generated from /openapi.json by `npm run sdks`. Do not edit.

/** What an agent can do in a call here. */
export type Abilities = {
  /** Speech recognition. Null: the agent reads typed text only. */
  hears: {
    /**
     * `external_api`: an external API of the account. `service`: the model configured for the service.
     * `ollama`: a model that Ollama serves beside the service. `built_in`: what agent workers bring
     * along.
     */
    by: 'external_api' | 'service' | 'ollama' | 'built_in';
    /** Name of the model. Null if it is built in. */
    model: string | null;
  } | null;
  /** Language model. Null: the agent answers in the words of its knowledge files and instructions. */
  thinks: {
    /**
     * `external_api`: an external API of the account. `service`: the model configured for the service.
     * `ollama`: a model that Ollama serves beside the service. `built_in`: what agent workers bring
     * along.
     */
    by: 'external_api' | 'service' | 'ollama' | 'built_in';
    /** Name of the model. Null if it is built in. */
    model: string | null;
  } | null;
  speaks: {
    /**
     * `external_api`: an external API of the account. `service`: the model configured for the service.
     * `ollama`: a model that Ollama serves beside the service. `built_in`: what agent workers bring
     * along.
     */
    by: 'external_api' | 'service' | 'ollama' | 'built_in';
    /** Name of the model. Null if it is built in. */
    model: string | null;
  };
  /**
   * Whether the agent looks at the user's camera: it has the capability `webcam_vision`, and its
   * language model sees. Ollama says so of its models. Others are taken to see until one has refused
   * a picture.
   */
  sees: boolean;
  /** Languages that its voice speaks. In others, the agent is shown as text only. */
  languages: Array<string>;
  /** Parts that `npm start` is installing for an agent like this. */
  installing: Array<'natural_voice' | 'speech_recognition'>;
};

export type Agent = {
  id: string;
  name: string;
  avatar_id: string;
  system_prompt: string | null;
  language: string;
  greeting: string | null;
  max_session_length_minutes: number;
  capabilities: Array<
    | {
        type: 'webcam_vision';
      }
    | {
        type: 'wakeup_mode';
        /** Words or phrases, case-insensitive. */
        triggers: Array<string>;
      }
  >;
  llm:
    | {
        type: 'openai';
      }
    | {
        type: 'openai_compatible';
        /** An external API of the account. */
        api_id: string;
        model: string;
        temperature: number;
      }
    | null;
  stt: {
    type: 'openai_compatible';
    /** An external API of the account, of the matching type. */
    api_id: string;
    model: string;
  } | null;
  tts: {
    type: 'openai_compatible';
    /** An external API of the account, of the matching type. */
    api_id: string;
    model: string;
    voice: string | null;
  } | null;
  embeddings: {
    type: 'openai_compatible';
    /** An external API of the account, of the matching type. */
    api_id: string;
    model: string;
  } | null;
  knowledge_files: Array<string>;
  created_at: string;
  /** Origins of the web pages that may show the agent. */
  allowed_origins: Array<string>;
  turn_taking: {
    /** How long the agent waits when the user pauses in the middle of a sentence. */
    patience: 'low' | 'medium' | 'high';
    /** How easily speech of the user interrupts the agent. */
    interruptibility: 'low' | 'medium' | 'high';
  };
  /** The picture of its calls. Null: the default. */
  video: VideoRequest | null;
  /** Built-in voice. Null: the one that fits the avatar. */
  voice: 'nora' | 'ines' | 'theo' | 'samuel' | null;
  /** Budgets of the agent’s calls. */
  limits: {
    call: {
      model_tokens: number;
      speech_characters: number;
      seconds: number;
    };
    day: {
      model_tokens: number;
      speech_characters: number;
      seconds: number;
    };
    link_day: {
      model_tokens: number;
      speech_characters: number;
      seconds: number;
    };
    texts_per_ten_minutes: number;
  };
  /** How the pages of visitors look. Null: the default. */
  appearance: {
    accent_color: string | null;
    /** Address of the logo; needs no key. It changes with the logo. */
    logo: string | null;
    welcome_text: string | null;
  };
  abilities: AgentAbilities;
  /** Whether its room page needs a link token. See the link secret of an agent. */
  is_private: boolean;
  /** Room page of the agent. Anyone with this address can talk to the agent, unless it is private. */
  chat_url: string;
};

/** What the agent can do here now. In detail: the abilities of an agent. */
export type AgentAbilities = {
  /** Whether it understands speech. */
  hears: boolean;
  /** The model that looks at the user's camera, like `thinks_with`. Null: none does. */
  sees: string | null;
  /**
   * Name of its language model; `ollama/` and the name for a model of Ollama. Null: it answers in
   * the words of its knowledge files and instructions.
   */
  thinks_with: string | null;
  /**
   * Name of its text-to-speech model, or `built-in voice`. Null: no voice here speaks its language,
   * and text is shown.
   */
  speaks_with: string | null;
};

export type AgentBudgetReachedEvent = {
  type: 'agent.budget_reached';
  /** When it happened. */
  timestamp: string;
  data: {
    agent_id: string;
    /** The call in which it was used up. */
    call_id: string;
    /**
     * `call`: One call of the agent. `day`: All calls of the agent in a day. `link_day`: Calls that
     * visitors open by the link of the agent in a day: from its room page or embedded, public or
     * private. `account_day`: All calls of the account in a day, by its plan. `address_day`: Calls
     * that visitors open by links from one address in a day, for all agents.
     */
    budget: 'call' | 'day' | 'link_day' | 'account_day' | 'address_day';
    unit: 'model_tokens' | 'speech_characters' | 'seconds';
    limit: number;
    /** When it begins again. Null for the budget of a call. */
    resets_at: string | null;
  };
};

/** Omitted fields keep their values; null restores the default. */
export type AgentChanges = {
  name?: string;
  /** The id or an alias of an avatar. */
  avatar_id?: string;
  /** Instructions for the language model. */
  system_prompt?: string | null;
  /**
   * Language that the agent speaks and understands. Its abilities list those that its voice speaks
   * here. Default: en.
   */
  language?:
    | 'ar'
    | 'bn'
    | 'bg'
    | 'zh'
    | 'cs'
    | 'da'
    | 'nl'
    | 'en'
    | 'en-AU'
    | 'en-GB'
    | 'en-US'
    | 'fi'
    | 'fr'
    | 'fr-CA'
    | 'fr-FR'
    | 'de'
    | 'el'
    | 'hi'
    | 'hu'
    | 'id'
    | 'it'
    | 'ja'
    | 'kk'
    | 'ko'
    | 'ms'
    | 'no'
    | 'pl'
    | 'pt'
    | 'pt-BR'
    | 'pt-PT'
    | 'ro'
    | 'ru'
    | 'sk'
    | 'es'
    | 'sv'
    | 'tr'
    | 'uk'
    | 'ur'
    | 'vi'
    | null;
  /** Spoken when a call starts. */
  greeting?: string | null;
  /** Time limit of a call. Default: 30. */
  max_session_length_minutes?: number | null;
  /**
   * Each type at most once. `wakeup_mode`: the agent answers what is spoken only after its name or
   * one of the triggers, and for a minute after each answer. `webcam_vision`: while the user shows
   * the camera, a language model that sees gets the newest picture with each question. Pictures are
   * not stored.
   */
  capabilities?: Array<
    | {
        type: 'webcam_vision';
      }
    | {
        type: 'wakeup_mode';
        /** Words or phrases, case-insensitive. */
        triggers: Array<string>;
      }
  > | null;
  /** Language model. Defaults to the one configured for the service. */
  llm?:
    | {
        type: 'openai';
      }
    | {
        type: 'openai_compatible';
        /** An external API of the account. */
        api_id: string;
        model: string;
        /** A number, or a number as text. */
        temperature: number | string;
      }
    | null;
  /** Speech to text. Defaults to the one configured for the service or its agent worker. */
  stt?: {
    type: 'openai_compatible';
    /** An external API of the account, of the matching type. */
    api_id: string;
    model: string;
  } | null;
  /** Text to speech. Defaults to the one configured for the service or its agent worker. */
  tts?: {
    type: 'openai_compatible';
    /** An external API of the account, of the matching type. */
    api_id: string;
    model: string;
    /** Defaults to the voice of the service. */
    voice?: string | null;
  } | null;
  /**
   * Built-in voice, for an agent without `tts`. See the list of voices. Default: the one that fits
   * the avatar.
   */
  voice?: 'nora' | 'ines' | 'theo' | 'samuel' | null;
  /** How the agent takes turns with the user. Default of both: `medium`. */
  turn_taking?: {
    /** How long the agent waits when the user pauses in the middle of a sentence. */
    patience?: 'low' | 'medium' | 'high';
    /** How easily speech of the user interrupts the agent. */
    interruptibility?: 'low' | 'medium' | 'high';
  } | null;
  /**
   * The picture of its calls, unless a call asks for another. Without a size, the room page shows
   * the shape of the visitor’s screen.
   */
  video?: VideoRequest | null;
  /**
   * Embeddings, to find passages of knowledge files by meaning as well as by words. Defaults to
   * those configured for the service.
   */
  embeddings?: {
    type: 'openai_compatible';
    /** An external API of the account, of the matching type. */
    api_id: string;
    model: string;
  } | null;
  /** Ids of knowledge files of the account. */
  knowledge_files?: Array<string> | null;
  /**
   * Origins of the web pages that may show the agent, by `<troupe-agent>` or in a frame.
   * `https://*.example.org` stands for all its subdomains. Default: none, so only its room page can.
   */
  allowed_origins?: Array<string> | null;
  /**
   * Budgets of the agent’s calls. When a budget is used up, the agent says so, and the call ends
   * with `budget_reached`. What is omitted or null has its default. Days are UTC.
   */
  limits?: {
    /** One call of the agent. */
    call?: {
      /** Tokens of the language model, estimated. */
      model_tokens?: number | null;
      /** Characters that the agent speaks. */
      speech_characters?: number | null;
      /** Length of calls. */
      seconds?: number | null;
    } | null;
    /** All calls of the agent in a day. */
    day?: {
      /** Tokens of the language model, estimated. */
      model_tokens?: number | null;
      /** Characters that the agent speaks. */
      speech_characters?: number | null;
      /** Length of calls. */
      seconds?: number | null;
    } | null;
    /**
     * Calls that visitors open by the link of the agent in a day: from its room page or embedded,
     * public or private.
     */
    link_day?: {
      /** Tokens of the language model, estimated. */
      model_tokens?: number | null;
      /** Characters that the agent speaks. */
      speech_characters?: number | null;
      /** Length of calls. */
      seconds?: number | null;
    } | null;
    /** Texts that one visitor may type in ten minutes. */
    texts_per_ten_minutes?: number | null;
  } | null;
  /**
   * How the room page and `<troupe-agent>` look. In an update, omitted fields keep their values.
   * Null restores a default.
   */
  appearance?: {
    /** Colour of buttons, as `#rrggbb`. Their text is black or white, whichever can be read better. */
    accent_color?: string | null;
    /** A PNG, JPEG or WebP picture as data URL: at most 64 KiB, and 1024 pixels a side. Shown on white. */
    logo?: string | null;
    /** Plain text, shown before a call in place of the usual invitation. */
    welcome_text?: string | null;
  } | null;
};

export type AgentRequest = {
  name: string;
  /** The id or an alias of an avatar. */
  avatar_id: string;
  /** Instructions for the language model. */
  system_prompt?: string | null;
  /**
   * Language that the agent speaks and understands. Its abilities list those that its voice speaks
   * here. Default: en.
   */
  language?:
    | 'ar'
    | 'bn'
    | 'bg'
    | 'zh'
    | 'cs'
    | 'da'
    | 'nl'
    | 'en'
    | 'en-AU'
    | 'en-GB'
    | 'en-US'
    | 'fi'
    | 'fr'
    | 'fr-CA'
    | 'fr-FR'
    | 'de'
    | 'el'
    | 'hi'
    | 'hu'
    | 'id'
    | 'it'
    | 'ja'
    | 'kk'
    | 'ko'
    | 'ms'
    | 'no'
    | 'pl'
    | 'pt'
    | 'pt-BR'
    | 'pt-PT'
    | 'ro'
    | 'ru'
    | 'sk'
    | 'es'
    | 'sv'
    | 'tr'
    | 'uk'
    | 'ur'
    | 'vi'
    | null;
  /** Spoken when a call starts. */
  greeting?: string | null;
  /** Time limit of a call. Default: 30. */
  max_session_length_minutes?: number | null;
  /**
   * Each type at most once. `wakeup_mode`: the agent answers what is spoken only after its name or
   * one of the triggers, and for a minute after each answer. `webcam_vision`: while the user shows
   * the camera, a language model that sees gets the newest picture with each question. Pictures are
   * not stored.
   */
  capabilities?: Array<
    | {
        type: 'webcam_vision';
      }
    | {
        type: 'wakeup_mode';
        /** Words or phrases, case-insensitive. */
        triggers: Array<string>;
      }
  > | null;
  /** Language model. Defaults to the one configured for the service. */
  llm?:
    | {
        type: 'openai';
      }
    | {
        type: 'openai_compatible';
        /** An external API of the account. */
        api_id: string;
        model: string;
        /** A number, or a number as text. */
        temperature: number | string;
      }
    | null;
  /** Speech to text. Defaults to the one configured for the service or its agent worker. */
  stt?: {
    type: 'openai_compatible';
    /** An external API of the account, of the matching type. */
    api_id: string;
    model: string;
  } | null;
  /** Text to speech. Defaults to the one configured for the service or its agent worker. */
  tts?: {
    type: 'openai_compatible';
    /** An external API of the account, of the matching type. */
    api_id: string;
    model: string;
    /** Defaults to the voice of the service. */
    voice?: string | null;
  } | null;
  /**
   * Built-in voice, for an agent without `tts`. See the list of voices. Default: the one that fits
   * the avatar.
   */
  voice?: 'nora' | 'ines' | 'theo' | 'samuel' | null;
  /** How the agent takes turns with the user. Default of both: `medium`. */
  turn_taking?: {
    /** How long the agent waits when the user pauses in the middle of a sentence. */
    patience?: 'low' | 'medium' | 'high';
    /** How easily speech of the user interrupts the agent. */
    interruptibility?: 'low' | 'medium' | 'high';
  } | null;
  /**
   * The picture of its calls, unless a call asks for another. Without a size, the room page shows
   * the shape of the visitor’s screen.
   */
  video?: VideoRequest | null;
  /**
   * Embeddings, to find passages of knowledge files by meaning as well as by words. Defaults to
   * those configured for the service.
   */
  embeddings?: {
    type: 'openai_compatible';
    /** An external API of the account, of the matching type. */
    api_id: string;
    model: string;
  } | null;
  /** Ids of knowledge files of the account. */
  knowledge_files?: Array<string> | null;
  /**
   * Origins of the web pages that may show the agent, by `<troupe-agent>` or in a frame.
   * `https://*.example.org` stands for all its subdomains. Default: none, so only its room page can.
   */
  allowed_origins?: Array<string> | null;
  /**
   * Budgets of the agent’s calls. When a budget is used up, the agent says so, and the call ends
   * with `budget_reached`. What is omitted or null has its default. Days are UTC.
   */
  limits?: {
    /** One call of the agent. */
    call?: {
      /** Tokens of the language model, estimated. */
      model_tokens?: number | null;
      /** Characters that the agent speaks. */
      speech_characters?: number | null;
      /** Length of calls. */
      seconds?: number | null;
    } | null;
    /** All calls of the agent in a day. */
    day?: {
      /** Tokens of the language model, estimated. */
      model_tokens?: number | null;
      /** Characters that the agent speaks. */
      speech_characters?: number | null;
      /** Length of calls. */
      seconds?: number | null;
    } | null;
    /**
     * Calls that visitors open by the link of the agent in a day: from its room page or embedded,
     * public or private.
     */
    link_day?: {
      /** Tokens of the language model, estimated. */
      model_tokens?: number | null;
      /** Characters that the agent speaks. */
      speech_characters?: number | null;
      /** Length of calls. */
      seconds?: number | null;
    } | null;
    /** Texts that one visitor may type in ten minutes. */
    texts_per_ten_minutes?: number | null;
  } | null;
  /**
   * How the room page and `<troupe-agent>` look. In an update, omitted fields keep their values.
   * Null restores a default.
   */
  appearance?: {
    /** Colour of buttons, as `#rrggbb`. Their text is black or white, whichever can be read better. */
    accent_color?: string | null;
    /** A PNG, JPEG or WebP picture as data URL: at most 64 KiB, and 1024 pixels a side. Shown on white. */
    logo?: string | null;
    /** Plain text, shown before a call in place of the usual invitation. */
    welcome_text?: string | null;
  } | null;
};

export type ApiKey = {
  id: string;
  name: string;
  /** `all`: everything the account may do. `operator`: fleet and metrics only. */
  scope: 'all' | 'operator';
  /**
   * Limits the key to some resources: `read` permits GET, `write` everything. Null: all resources of
   * its `scope`. Vendor adapters need `sessions:write`.
   */
  scopes: Array<
    | 'account:read'
    | 'account:write'
    | 'agents:read'
    | 'agents:write'
    | 'api_keys:read'
    | 'api_keys:write'
    | 'audit_log:read'
    | 'audit_log:write'
    | 'avatars:read'
    | 'avatars:write'
    | 'calls:read'
    | 'calls:write'
    | 'export:read'
    | 'export:write'
    | 'external_apis:read'
    | 'external_apis:write'
    | 'fleet:read'
    | 'fleet:write'
    | 'knowledge_files:read'
    | 'knowledge_files:write'
    | 'people:read'
    | 'people:write'
    | 'sessions:read'
    | 'sessions:write'
    | 'usage:read'
    | 'usage:write'
    | 'webhooks:read'
    | 'webhooks:write'
  > | null;
  /** The key is refused from then on. Null: never. */
  expires_at: string | null;
  /** The only networks that the key may be used from, as CIDR blocks. Null: any. */
  allowed_networks: Array<string> | null;
  created_at: string;
  /** Rounded to the minute. */
  last_used_at: string | null;
  /** Where it was used then. */
  last_used_address: string | null;
  revoked_at: string | null;
};

export type ApiKeyChanges = {
  name?: string;
  /**
   * Limits the key to some resources: `read` permits GET, `write` everything. Null: all resources of
   * its `scope`. Vendor adapters need `sessions:write`.
   */
  scopes?: Array<
    | 'account:read'
    | 'account:write'
    | 'agents:read'
    | 'agents:write'
    | 'api_keys:read'
    | 'api_keys:write'
    | 'audit_log:read'
    | 'audit_log:write'
    | 'avatars:read'
    | 'avatars:write'
    | 'calls:read'
    | 'calls:write'
    | 'export:read'
    | 'export:write'
    | 'external_apis:read'
    | 'external_apis:write'
    | 'fleet:read'
    | 'fleet:write'
    | 'knowledge_files:read'
    | 'knowledge_files:write'
    | 'people:read'
    | 'people:write'
    | 'sessions:read'
    | 'sessions:write'
    | 'usage:read'
    | 'usage:write'
    | 'webhooks:read'
    | 'webhooks:write'
  > | null;
  /** The key is refused from then on. Null: never. */
  expires_at?: string | null;
  /** The only networks that the key may be used from, as CIDR blocks. Null: any. */
  allowed_networks?: Array<string> | null;
};

export type AuditEntry = {
  id: string;
  at: string;
  /** Null: a change of the installation. */
  account_id: string | null;
  actor: {
    /**
     * `key`: an API key. `admin`: an administrator. `page`: a page of the service. `command`: a script
     * on the machine. `service`: the service itself.
     */
    type: 'key' | 'admin' | 'person' | 'page' | 'command' | 'service';
    /** Null for the shared admin password. */
    id: string | null;
    /** At the time of the change. */
    name: string | null;
  };
  /** IP address of the request. */
  address: string | null;
  action:
    | 'account.created'
    | 'account.deleted'
    | 'account.exported'
    | 'account.updated'
    | 'account_domain.created'
    | 'account_domain.deleted'
    | 'admin.created'
    | 'admin.deleted'
    | 'admin.signed_in'
    | 'admin.updated'
    | 'agent.created'
    | 'agent.deleted'
    | 'agent.made_private'
    | 'agent.made_public'
    | 'agent.updated'
    | 'api_key.created'
    | 'api_key.revoked'
    | 'api_key.updated'
    | 'avatar.created'
    | 'avatar.deleted'
    | 'call.deleted'
    | 'call.ended'
    | 'canary.ended'
    | 'canary.started'
    | 'canary.stopped'
    | 'external_api.created'
    | 'external_api.deleted'
    | 'external_api.updated'
    | 'fleet.rebalanced'
    | 'fleet.repaired'
    | 'invitation.created'
    | 'invitation.deleted'
    | 'knowledge_file.created'
    | 'knowledge_file.deleted'
    | 'knowledge_file.submitted'
    | 'overflow.removed'
    | 'overflow.set'
    | 'person.created'
    | 'person.deleted'
    | 'person.link_created'
    | 'person.signed_in'
    | 'person.signed_out'
    | 'person.updated'
    | 'secret_key.removed'
    | 'secret_key.rotated'
    | 'session.deleted'
    | 'session.ended'
    | 'speech_model.installed'
    | 'webhook.created'
    | 'webhook.deleted'
    | 'webhook.secret_rotated'
    | 'webhook.updated'
    | 'worker.cordoned'
    | 'worker.drained'
    | 'worker.log_level_set'
    | 'worker.resumed'
    | 'worker_token.created'
    | 'worker_token.revoked';
  /** The changed resource. */
  target_id: string | null;
  /** Fields before the change; of an update only those that changed. */
  before: Record<string, unknown> | null;
  /** Fields after the change, without secrets. Long texts are cut. */
  after: Record<string, unknown> | null;
};

export type AvailableKnowledgeFile = {
  id: string;
  name: string;
  format: 'text' | 'pdf';
  status: 'available';
  /** The extracted text. */
  content: string;
  /** Says that only a part of a PDF could be read. In the answer to its submit. */
  warning?: string;
  created_at: string;
};

/** Your own avatars also have `progress` and the fields after it. */
export type Avatar = {
  id: string;
  name: string;
  /** Sessions, agents and calls can use the avatar once it is `ready`. */
  status: 'building' | 'ready' | 'failed';
  /** Address of a still picture; needs no key. Your own avatars have it once they are ready. */
  picture: string;
  /**
   * Built-in voice that fits the face: the voice of its agents unless they have another. Null: the
   * first of the list of voices.
   */
  voice: string | null;
  /** Build progress in percent. */
  progress?: number;
  /** Why the build failed. */
  reason?:
    | 'not_a_picture'
    | 'damaged'
    | 'bitmap'
    | 'jpeg_2000'
    | 'jpeg_xl'
    | 'jpeg_xr'
    | 'svg'
    | 'icon'
    | 'raw_photo'
    | 'layered'
    | 'pdf'
    | 'video'
    | 'web_page'
    | 'archive'
    | 'other_picture'
    | 'too_small'
    | 'too_large'
    | 'too_dark'
    | 'too_bright'
    | 'low_contrast'
    | 'blurred'
    | 'no_face'
    | 'two_faces'
    | 'face_too_small'
    | 'turned_away'
    | 'covered'
    | 'bad_background'
    | 'took_too_long'
    | 'build_failed';
  /** How to fix the reason. */
  advice?: string;
  /** Background behind the person. `picture`: the uploaded background picture. */
  background?: string;
  /** The consent statement of the request. */
  consent?: string;
  created_at?: string;
};

export type AvatarReadyEvent = {
  type: 'avatar.ready';
  /** When it happened. */
  timestamp: string;
  data: {
    id: string;
    name: string;
  };
};

export type AvatarRequest = {
  name: string;
  /**
   * A file: JPEG, PNG, WebP, HEIC, AVIF, GIF or TIFF, at most 16 MiB. One face, seen from the front,
   * in good light.
   */
  picture: Blob;
  /**
   * Statement, in your own words, that the person in the picture consents. Stored with the avatar,
   * the time and the API key.
   */
  consent: string;
  /**
   * Background behind the person: `blur`, a colour as `#rrggbb`, or a picture, cropped to its
   * centre.
   */
  background?: string | Blob;
};

export type BotroomOpenedSession = {
  id: string;
  transport: 'botroom';
  /**
   * The room that the video bot connects to (secure websocket URL), or the bot that the avatar
   * connects to.
   */
  url: string;
  avatar_id: string;
  /** The call that it belongs to. */
  call_id?: string;
  status: SessionStatus;
  created_at: string;
  /** Milliseconds that the request waited for a free slot of a worker. */
  waited_ms?: number;
  /** Present when completed. */
  end_reason?:
    | 'agent_left'
    | 'room_empty'
    | 'room_closed'
    | 'room_refused'
    | 'removed'
    | 'replaced'
    | 'ended_by_client'
    | 'time_limit'
    | 'budget_reached'
    | 'never_started'
    | 'token_expired'
    | 'worker_lost'
    | 'service_stopped';
  /** More about the end reason, for people: why the room could not be joined. */
  end_detail?: string;
  video: Video;
  max_session_length_minutes?: number;
  metadata: Record<string, string>;
  /** For your bot, to connect to `url` within minutes. Absent if the request named a bot. */
  token?: string;
  /** The new room that shows the face of your bot, if the request named one. */
  room?: {
    url: string;
    name: string;
    /** For the viewer. */
    viewer_token: string;
  };
};

export type BotroomSession = {
  id: string;
  transport: 'botroom';
  /**
   * The room that the video bot connects to (secure websocket URL), or the bot that the avatar
   * connects to.
   */
  url: string;
  avatar_id: string;
  /** The call that it belongs to. */
  call_id?: string;
  status: SessionStatus;
  created_at: string;
  /** Milliseconds that the request waited for a free slot of a worker. */
  waited_ms?: number;
  /** Present when completed. */
  end_reason?:
    | 'agent_left'
    | 'room_empty'
    | 'room_closed'
    | 'room_refused'
    | 'removed'
    | 'replaced'
    | 'ended_by_client'
    | 'time_limit'
    | 'budget_reached'
    | 'never_started'
    | 'token_expired'
    | 'worker_lost'
    | 'service_stopped';
  /** More about the end reason, for people: why the room could not be joined. */
  end_detail?: string;
  video: Video;
  max_session_length_minutes?: number;
  metadata: Record<string, string>;
};

export type BotroomToken = {
  /** Address of the botroom. */
  url: string;
  token: string;
};

/** Without credentials; only the answer that opens the call has them. */
export type Call = {
  id: string;
  /** May be the id of a deleted agent. */
  agent_id: string;
  /** The session of its avatar. */
  session_id: string;
  status: SessionStatus;
  user_name: string | null;
  user_email: string | null;
  tags: Record<string, string>;
  /** Before the avatar joins: when the call was created. */
  started_at: string;
  /** Null while the call is open. */
  ended_at: string | null;
  /** Null until a few seconds after the call ends. */
  evaluation: CallEvaluation | null;
  /** The rating by the user. Null without one. */
  rating: 'good' | 'bad' | null;
  /** The comment of the user on the rating. */
  rating_comment: string | null;
};

export type CallEndedEvent = {
  type: 'call.ended';
  /** When it happened. */
  timestamp: string;
  data: {
    id: string;
    agent_id: string;
    session_id: string;
    user_name: string | null;
    user_email: string | null;
    tags: Record<string, string>;
    started_at: string | null;
    ended_at: string | null;
  };
  event_type: 'call_ended';
  call_id: string;
  call_data: {
    userName: string;
    agentId: string;
  };
  evaluation: CallEvaluation;
  messages: Array<{
    sender: 'ai' | 'user';
    message: string;
    sent_at: string;
  }>;
  user_name: string;
};

export type CallEvaluation = {
  /** Topic of the call; empty if the user said nothing. */
  topic: string;
  /** The user's sentiment. */
  user_sentiment: 'positive' | 'neutral' | 'negative';
  duration_minutes: number;
  messages_count: number;
  /**
   * `model`: by the agent's language model. `rules`: no model was available or it gave no answer; by
   * the user's most frequent words and a short list of positive and negative words.
   */
  evaluated_by: 'model' | 'rules';
};

export type CallMessages = Array<{
  message: string;
  sent_at: string;
  sender: 'ai' | 'user';
  /** Of an answer, if measured: milliseconds from the end of the user's speech. Null: unknown. */
  latency?: {
    /** Until the transcript of the user's speech was ready. */
    transcript_ms: number | null;
    /** Until the first token of the answer. */
    first_token_ms: number | null;
    /** Until the first synthesized audio. */
    first_audio_ms: number | null;
    /** Until the first frame of the answer was shown. */
    first_frame_ms: number | null;
  };
}>;

export type CallRatedEvent = {
  type: 'call.rated';
  /** When it happened. */
  timestamp: string;
  data: {
    id: string;
    agent_id: string;
    session_id: string;
    user_name: string | null;
    user_email: string | null;
    tags: Record<string, string>;
    started_at: string | null;
    ended_at: string | null;
    /** The rating by the user. */
    rating: 'good' | 'bad';
    /** The comment of the user on the rating. */
    rating_comment: string | null;
  };
};

export type CallRequest = {
  agent_id: string;
  user_name?: string;
  user_email?: string;
  /** Custom data, stored and returned unchanged. */
  tags?: Record<string, string>;
  video?: VideoRequest;
  /**
   * Keeps a place in line while all slots are taken. Send null at first. A 503 that waiting can cure
   * then has `line_ticket`, to be sent with the next try, and `line_position`, which is 1 for the
   * first in line. The service holds a place for 15 seconds after a try, and gives a new one for an
   * unknown ticket. Requests without the field get no place, and do not overtake those that have
   * one.
   */
  line_ticket?: string | null;
};

export type CallStartedEvent = {
  type: 'call.started';
  /** When it happened. */
  timestamp: string;
  data: {
    id: string;
    agent_id: string;
    session_id: string;
    user_name: string | null;
    user_email: string | null;
    tags: Record<string, string>;
    started_at: string | null;
    ended_at: string | null;
  };
};

export type CallToken = {
  /** The media server that the user joins. */
  mediaserver_url: string;
  /**
   * Room token (JWT) that lets the user publish, subscribe and send data; valid for ten minutes.
   * Secret.
   */
  mediaserver_token: string;
  /** Same as mediaserver_url. */
  livekit_url: string;
  /** Same as mediaserver_token. */
  livekit_token: string;
};

export type Canary = {
  pool: string;
  stable_pool: string;
  /** Percentage of the new sessions of `stable_pool` that try `pool` first. */
  share_percent: number;
  started_at: string;
  /** When it stopped because more of its sessions failed; else null. */
  stopped_at: string | null;
  canary: {
    /** Sessions that began, or never did. */
    sessions: number;
    /** Of these: declined by their first worker, never started, or lost their worker. */
    failures: number;
  };
  stable: {
    /** Sessions that began, or never did. */
    sessions: number;
    /** Of these: declined by their first worker, never started, or lost their worker. */
    failures: number;
  };
};

export type CanaryRequest = {
  /** WORKER_POOL of the workers on trial. */
  pool: string;
  /** The pool whose sessions try the other one. Default: `default`. */
  stable_pool?: string;
  /** Percentage of the new sessions of `stable_pool` that try `pool` first. */
  share_percent: number;
};

export type ContactSheet = {
  /** A JPEG as data URL: tiles row by row, each the face from near. */
  picture: string;
  /** Side of a square tile, in pixels. */
  tile_side: number;
  /** Tiles in a row. */
  columns: number;
  /**
   * Name of each tile, in order: rest, open, wide_open, spread, rounded, flared, pressed,
   * teeth_on_lip, tongue, blink, look_left, look_right, brows, warm, concerned, amused. Newer
   * workers may send more.
   */
  tiles: Array<string>;
};

export type DeletionReceipt = {
  /** The deleted resource. */
  id: string;
  /** Its entry in the audit log. */
  receipt_id: string;
  deleted_at: string;
  /** Numbers of deleted things, by kind. */
  deleted: {
    agents?: number;
    api_keys?: number;
    avatars?: number;
    calls?: number;
    events?: number;
    external_apis?: number;
    idempotent_replies?: number;
    knowledge_files?: number;
    messages?: number;
    sessions?: number;
    timelines?: number;
    webhooks?: number;
  };
};

/** Without the API key. */
export type ExternalApi = {
  id: string;
  /**
   * Language model, speech to text, text to speech, or embeddings. Agents refer to each in the
   * matching field.
   */
  type:
    | 'openai_compatible_llm'
    | 'openai_compatible_stt'
    | 'openai_compatible_tts'
    | 'openai_compatible_embeddings';
  name: string;
  url: string;
  created_at: string;
};

/** Omitted fields keep their values. */
export type ExternalApiChanges = {
  /**
   * Language model, speech to text, text to speech, or embeddings. Agents refer to each in the
   * matching field.
   */
  type?:
    | 'openai_compatible_llm'
    | 'openai_compatible_stt'
    | 'openai_compatible_tts'
    | 'openai_compatible_embeddings';
  name?: string;
  /**
   * Base address of the API, without `/chat/completions`, `/audio/transcriptions`, `/audio/speech`
   * or `/embeddings`. Private network addresses are refused unless the service allows them.
   */
  url?: string;
  /** Sent to the API as a bearer token. Encrypted at rest and never returned. */
  api_key?: string;
};

export type ExternalApiCheck = {
  ok: boolean;
  /** HTTP status of its answer; null without an answer. */
  status: number | null;
  /** What is wrong. */
  detail: string;
  took_ms: number;
};

export type ExternalApiCheckRequest = {
  /** Defaults to OpenAI's default model. */
  model?: string;
  /** For text to speech. */
  voice?: string;
};

export type ExternalApiRequest = {
  /**
   * Language model, speech to text, text to speech, or embeddings. Agents refer to each in the
   * matching field.
   */
  type:
    | 'openai_compatible_llm'
    | 'openai_compatible_stt'
    | 'openai_compatible_tts'
    | 'openai_compatible_embeddings';
  name: string;
  /**
   * Base address of the API, without `/chat/completions`, `/audio/transcriptions`, `/audio/speech`
   * or `/embeddings`. Private network addresses are refused unless the service allows them.
   */
  url: string;
  /** Sent to the API as a bearer token. Encrypted at rest and never returned. */
  api_key: string;
};

export type FleetAlerts = {
  /** The firing ones first, of these the critical ones. */
  data: Array<{
    /** Name of the rule in `deploy/prometheus`. */
    name: string;
    /** `pending`: its condition does not hold long enough yet. */
    state: 'firing' | 'pending';
    severity: 'critical' | 'warning';
    summary: string;
    /** The part of the service; null: the whole. */
    about: string | null;
    /** When this control plane first saw its condition. */
    since: string;
    /** How long the condition must hold until it fires. */
    for_minutes: number;
    /** The first thing to do. */
    advice: string;
    /** Path of the runbook page. */
    runbook: string;
  }>;
  /** Names of the rules that are judged here. */
  judged: Array<string>;
  /** Rules that only Prometheus can judge. */
  not_judged: Array<{
    name: string;
    reason: string;
  }>;
};

export type FleetAudit = {
  /** True if there are no differences. */
  agrees: boolean;
  /** Reserved slots. */
  leases: number;
  /** Sessions running in this process. */
  sessions: number;
  /** Sessions not completed in the database. */
  rows: number;
  /** Sessions that workers report as running. */
  performed: number;
  /** Open rooms of this service; null if the media server did not answer. */
  rooms: number | null;
  differences: Array<{
    /**
     * `lease_without_session`: A slot is held for a session that is not there.
     * `session_without_lease`: A session is placed on a worker, and no slot is held for it.
     * `session_without_row`: A session goes on that is completed in the records, or not in them.
     * `session_placed_elsewhere`: The records have a newer placement of a session than the control
     * plane that owns it. `row_without_session`: The records have a session as not completed that is
     * not there. `session_without_worker`: A session is placed on a worker that is not connected.
     * `session_not_performed`: A worker does not perform a session that it should.
     * `performed_without_session`: A worker performs what is not placed on it. `session_without_room`:
     * The room of a session is not open. `room_without_session`: A room is open whose session is over.
     */
    kind:
      | 'lease_without_session'
      | 'session_without_lease'
      | 'session_without_row'
      | 'session_placed_elsewhere'
      | 'row_without_session'
      | 'session_without_worker'
      | 'session_not_performed'
      | 'performed_without_session'
      | 'session_without_room'
      | 'room_without_session';
    /** The session concerned. */
    session_id: string | null;
    /** The worker concerned. */
    worker_id: string | null;
    /** The room concerned. */
    room: string | null;
    /** When the difference was first seen. */
    since: string;
    repaired: boolean;
  }>;
};

export type FleetHistory = {
  /** Length of each step. Those without data are left out. */
  step_seconds: number;
  points: Array<{
    at: string;
    workers: number;
    slots: number;
    taken: number;
    taken_peak: number;
    /** Requests for a slot. */
    waiting: number;
    waiting_peak: number;
    /** Sessions that lost their worker. */
    failovers: number;
    /** Sessions that moved on purpose. */
    handovers: number;
  }>;
};

export type FleetPressure = {
  /** Number of workers needed. */
  wanted_workers: number;
  /** Free slots. */
  free_slots: number;
  /** Free slots to keep in each pool (WARM_SLOTS). */
  warm_slots: number;
  /** Requests waiting for a slot. */
  queue_depth: number;
  /** Age of the oldest waiting request. */
  queue_oldest_seconds: number;
  /** The same figures for agent workers, which run the conversations of managed agents. */
  agents: {
    /** Number of workers needed. */
    wanted_workers: number;
    /** Free slots. */
    free_slots: number;
    /** Free slots to keep in each pool (WARM_SLOTS). */
    warm_slots: number;
    /** Requests waiting for a slot. */
    queue_depth: number;
    /** Age of the oldest waiting request. */
    queue_oldest_seconds: number;
  };
  /**
   * Figures per pool: every pool with a worker or a waiting request, or the requested pool. The
   * top-level fields are their sums.
   */
  pools: Array<{
    pool: string;
    /** Number of workers needed. */
    wanted_workers: number;
    /** Free slots. */
    free_slots: number;
    /** Free slots to keep in each pool (WARM_SLOTS). */
    warm_slots: number;
    /** Requests waiting for a slot. */
    queue_depth: number;
    /** Age of the oldest waiting request. */
    queue_oldest_seconds: number;
    /** The same figures for agent workers, which run the conversations of managed agents. */
    agents: {
      /** Number of workers needed. */
      wanted_workers: number;
      /** Free slots. */
      free_slots: number;
      /** Free slots to keep in each pool (WARM_SLOTS). */
      warm_slots: number;
      /** Requests waiting for a slot. */
      queue_depth: number;
      /** Age of the oldest waiting request. */
      queue_oldest_seconds: number;
    };
  }>;
};

export type Invitation = {
  id: string;
  role: 'owner' | 'builder' | 'viewer' | null;
  /** Operates the installation. */
  is_operator: boolean;
  name: string | null;
  created_at: string;
  expires_at: string;
};

export type InvitationRequest = {
  /**
   * `owner`: everything in the account. `builder`: everything but people, the account and its
   * export. `viewer`: reads.
   */
  role: 'owner' | 'builder' | 'viewer';
  /** Default: the invited person chooses. */
  name?: string;
  expires_in_hours?: number;
};

export type KnowledgeFile =
  | {
      id: string;
      name: string;
      format: 'text' | 'pdf';
      /** Upload the chunks, then submit the file. */
      status: 'to-upload';
      created_at: string;
    }
  | {
      id: string;
      name: string;
      format: 'text' | 'pdf';
      status: 'available';
      /** The extracted text. */
      content: string;
      /** Says that only a part of a PDF could be read. In the answer to its submit. */
      warning?: string;
      created_at: string;
    };

export type KnowledgeFileRequest = {
  name: string;
  format: 'text' | 'pdf';
  /**
   * Text of a file with format `text`, which is then available at once. Without it, upload the file
   * in chunks.
   */
  content?: string;
};

export type LinkSecret = {
  /** Signs link tokens. Shown once; keep it in your backend. */
  link_secret: string;
};

/** Without its text. */
export type ListedKnowledgeFile = {
  id: string;
  name: string;
  format: 'text' | 'pdf';
  status: 'to-upload' | 'available';
  created_at: string;
};

export type LogLevelRequest = {
  level: 'debug' | 'info' | 'warn' | 'error';
};

export type MadeApiKey = {
  id: string;
  name: string;
  /** `all`: everything the account may do. `operator`: fleet and metrics only. */
  scope: 'all' | 'operator';
  /**
   * Limits the key to some resources: `read` permits GET, `write` everything. Null: all resources of
   * its `scope`. Vendor adapters need `sessions:write`.
   */
  scopes: Array<
    | 'account:read'
    | 'account:write'
    | 'agents:read'
    | 'agents:write'
    | 'api_keys:read'
    | 'api_keys:write'
    | 'audit_log:read'
    | 'audit_log:write'
    | 'avatars:read'
    | 'avatars:write'
    | 'calls:read'
    | 'calls:write'
    | 'export:read'
    | 'export:write'
    | 'external_apis:read'
    | 'external_apis:write'
    | 'fleet:read'
    | 'fleet:write'
    | 'knowledge_files:read'
    | 'knowledge_files:write'
    | 'people:read'
    | 'people:write'
    | 'sessions:read'
    | 'sessions:write'
    | 'usage:read'
    | 'usage:write'
    | 'webhooks:read'
    | 'webhooks:write'
  > | null;
  /** The key is refused from then on. Null: never. */
  expires_at: string | null;
  /** The only networks that the key may be used from, as CIDR blocks. Null: any. */
  allowed_networks: Array<string> | null;
  created_at: string;
  /** Rounded to the minute. */
  last_used_at: string | null;
  /** Where it was used then. */
  last_used_address: string | null;
  revoked_at: string | null;
  /** Shown only once. */
  key: string;
};

export type MadeInvitation = {
  id: string;
  role: 'owner' | 'builder' | 'viewer' | null;
  /** Operates the installation. */
  is_operator: boolean;
  name: string | null;
  created_at: string;
  expires_at: string;
  /** Works once. Shown only once. */
  link: string;
};

export type MadeWorkerToken = {
  id: string;
  name: string;
  /** `avatar` or `agent`; null: workers of any kind. */
  kind: string | null;
  /** WORKER_POOL of its workers; null: any pool. */
  pool: string | null;
  created_at: string;
  /** Rounded to the minute. */
  last_used_at: string | null;
  revoked_at: string | null;
  /** Shown only once. */
  token: string;
};

export type MediaserverOpenedSession = {
  id: string;
  transport: 'mediaserver';
  /** The media server that the avatar joins (secure websocket URL). */
  url: string;
  avatar_id: string;
  /** The call that it belongs to. */
  call_id?: string;
  status: SessionStatus;
  created_at: string;
  /** Milliseconds that the request waited for a free slot of a worker. */
  waited_ms?: number;
  /** Present when completed. */
  end_reason?:
    | 'agent_left'
    | 'room_empty'
    | 'room_closed'
    | 'room_refused'
    | 'removed'
    | 'replaced'
    | 'ended_by_client'
    | 'time_limit'
    | 'budget_reached'
    | 'never_started'
    | 'token_expired'
    | 'worker_lost'
    | 'service_stopped';
  /** More about the end reason, for people: why the room could not be joined. */
  end_detail?: string;
  video: Video;
  max_session_length_minutes?: number;
  metadata: Record<string, string>;
  /** The new room, if the request had none. */
  room?: {
    url: string;
    name: string;
    /** For the viewer. */
    viewer_token: string;
    /** For the voice agent. */
    agent_token: string;
  };
};

export type MediaserverSession = {
  id: string;
  transport: 'mediaserver';
  /** The media server that the avatar joins (secure websocket URL). */
  url: string;
  avatar_id: string;
  /** The call that it belongs to. */
  call_id?: string;
  status: SessionStatus;
  created_at: string;
  /** Milliseconds that the request waited for a free slot of a worker. */
  waited_ms?: number;
  /** Present when completed. */
  end_reason?:
    | 'agent_left'
    | 'room_empty'
    | 'room_closed'
    | 'room_refused'
    | 'removed'
    | 'replaced'
    | 'ended_by_client'
    | 'time_limit'
    | 'budget_reached'
    | 'never_started'
    | 'token_expired'
    | 'worker_lost'
    | 'service_stopped';
  /** More about the end reason, for people: why the room could not be joined. */
  end_detail?: string;
  video: Video;
  max_session_length_minutes?: number;
  metadata: Record<string, string>;
};

export type MessageEvent = {
  type: 'message';
  /** When it happened. */
  timestamp: string;
  data: {
    call_id: string;
    sender: 'ai' | 'user';
    message: string;
    sent_at: string;
  };
  event_type: 'message';
  call_id: string;
  call_data: {
    userName: string;
    agentId: string;
  };
  message: {
    sender: 'ai' | 'user';
    message: string;
    sent_at: string;
  };
};

export type OpenedCall = {
  id: string;
  /** May be the id of a deleted agent. */
  agent_id: string;
  /** The session of its avatar. */
  session_id: string;
  status: SessionStatus;
  user_name: string | null;
  user_email: string | null;
  tags: Record<string, string>;
  /** Before the avatar joins: when the call was created. */
  started_at: string;
  /** Null while the call is open. */
  ended_at: string | null;
  /** Null until a few seconds after the call ends. */
  evaluation: CallEvaluation | null;
  /** The rating by the user. Null without one. */
  rating: 'good' | 'bad' | null;
  /** The comment of the user on the rating. */
  rating_comment: string | null;
  /** The media server that the user joins. */
  mediaserver_url: string;
  /**
   * Room token (JWT) that lets the user publish, subscribe and send data; valid for ten minutes.
   * Secret.
   */
  mediaserver_token: string;
  /** Same as mediaserver_url. */
  livekit_url: string;
  /** Same as mediaserver_token. */
  livekit_token: string;
};

export type OpenedSession = MediaserverOpenedSession | BotroomOpenedSession;

export type OutsideSession = {
  /** The session here. */
  session_id: string;
  /** The session there; null if it may not exist. */
  outside_id: string | null;
  state: 'reserved' | 'creating' | 'waiting' | 'showing' | 'ending' | 'closed';
  reserved_at: string;
  /** Why it ended there. */
  end_reason: string | null;
  minutes: number;
  /** While it is open, the most that it may cost. */
  cost: number;
};

export type OutsideSessionList = {
  data: Array<OutsideSession>;
};

/** Without the API key. */
export type Overflow = {
  pool: string;
  /**
   * Base address of the outside service, without `/v1`. Private networks, and addresses without TLS,
   * are refused unless this service allows them.
   */
  url: string;
  /**
   * Price of a minute in the currency of the service, with up to six decimals. Sessions are charged
   * by the millisecond.
   */
  price_per_minute: number;
  /**
   * The most that all its sessions of a period may cost. Open sessions count with the most that they
   * may cost, so it is never exceeded.
   */
  ceiling: number;
  /** Period of the ceiling, in UTC. A session counts in the period in which it was created. */
  period: 'day' | 'month';
  /** Sessions that it performs at the same time. 0: it gets no new ones. */
  max_sessions: number;
  /** Longest session there. A session that goes on needs another slot then. */
  max_minutes: number;
  /**
   * Ids of avatars there, by the ids here. Others have the same id there; custom avatars overflow
   * only if they are named.
   */
  avatars: Record<string, string>;
  /**
   * `full`: it has `max_sessions`. `ceiling`: another session could exceed the ceiling. `resting`: a
   * request failed a moment ago.
   */
  state: 'ready' | 'full' | 'ceiling' | 'resting';
  /** Why the last request of this control plane failed; null if it succeeded. */
  problem: string | null;
  /** Open sessions there. */
  sessions: number;
  /** Cost of the sessions of this period that have ended. */
  spent: number;
  /** The most that its open sessions may cost. */
  reserved: number;
  /** Length of the ended sessions. */
  minutes: number;
  /** End of the period. */
  resets_at: string;
};

export type OverflowList = {
  data: Array<Overflow>;
};

export type OverflowRequest = {
  /** WORKER_POOL of the workers. Default: `default`. */
  pool?: string;
  /**
   * Base address of the outside service, without `/v1`. Private networks, and addresses without TLS,
   * are refused unless this service allows them.
   */
  url: string;
  /**
   * Price of a minute in the currency of the service, with up to six decimals. Sessions are charged
   * by the millisecond.
   */
  price_per_minute: number;
  /**
   * The most that all its sessions of a period may cost. Open sessions count with the most that they
   * may cost, so it is never exceeded.
   */
  ceiling: number;
  /** Period of the ceiling, in UTC. A session counts in the period in which it was created. */
  period: 'day' | 'month';
  /** Sessions that it performs at the same time. 0: it gets no new ones. */
  max_sessions: number;
  /** Longest session there. A session that goes on needs another slot then. */
  max_minutes?: number;
  /**
   * Sent to the outside service as `x-api-key`. Encrypted at rest and never returned. Default: the
   * key stays. A new origin in `url` needs it again.
   */
  api_key?: string;
  /**
   * Ids of avatars there, by the ids here. Others have the same id there; custom avatars overflow
   * only if they are named.
   */
  avatars?: Record<string, string>;
};

export type OwnAccount = {
  id: string;
  name: string;
  plan: 'free' | 'creator' | 'growth' | 'scale' | 'unlimited';
  /**
   * Days after which data is deleted, by kind. The shorter of these and RETENTION_DAYS holds. null:
   * as the installation.
   */
  retention_days: {
    calls?: number;
    deliveries?: number;
    sessions?: number;
    timelines?: number;
    transcripts?: number;
  } | null;
  /** What holds, with the limits of the service. null: kept until you delete it. */
  effective_retention_days: {
    calls: number | null;
    deliveries: number | null;
    sessions: number | null;
    timelines: number | null;
    transcripts: number | null;
  };
  /**
   * Whether stills of sessions that belong to a call may be retrieved. Of other sessions they always
   * may.
   */
  call_stills: boolean;
  created_at: string;
};

export type OwnAccountChanges = {
  /**
   * Days after which data is deleted, by kind; at most as the service keeps it. null: as the
   * service.
   */
  retention_days?: {
    calls?: number;
    deliveries?: number;
    sessions?: number;
    timelines?: number;
    transcripts?: number;
  } | null;
  /**
   * Whether stills of sessions that belong to a call may be retrieved. Of other sessions they always
   * may.
   */
  call_stills?: boolean;
};

export type OwnApiKeyRequest = {
  name: string;
  /**
   * Limits the key to some resources: `read` permits GET, `write` everything. Null: all resources of
   * its `scope`. Vendor adapters need `sessions:write`.
   */
  scopes?: Array<
    | 'account:read'
    | 'account:write'
    | 'agents:read'
    | 'agents:write'
    | 'api_keys:read'
    | 'api_keys:write'
    | 'audit_log:read'
    | 'audit_log:write'
    | 'avatars:read'
    | 'avatars:write'
    | 'calls:read'
    | 'calls:write'
    | 'export:read'
    | 'export:write'
    | 'external_apis:read'
    | 'external_apis:write'
    | 'fleet:read'
    | 'fleet:write'
    | 'knowledge_files:read'
    | 'knowledge_files:write'
    | 'people:read'
    | 'people:write'
    | 'sessions:read'
    | 'sessions:write'
    | 'usage:read'
    | 'usage:write'
    | 'webhooks:read'
    | 'webhooks:write'
  > | null;
  /** The key is refused from then on. Null: never. */
  expires_at?: string | null;
  /** The only networks that the key may be used from, as CIDR blocks. Null: any. */
  allowed_networks?: Array<string> | null;
};

export type Person = {
  id: string;
  name: string;
  role: 'owner' | 'builder' | 'viewer' | null;
  /** Operates the installation. */
  is_operator: boolean;
  has_password: boolean;
  created_at: string;
  last_sign_in_at: string | null;
};

export type PersonChanges = {
  /**
   * `owner`: everything in the account. `builder`: everything but people, the account and its
   * export. `viewer`: reads.
   */
  role: 'owner' | 'builder' | 'viewer';
};

export type Rebalance = {
  data: Array<{
    worker_id: string;
    /** Ids of the sessions, the longest first. */
    sessions: Array<string>;
  }>;
};

export type RebalanceRequest = {
  /** Only this worker, which must be late, resting, cordoned or draining. Default: all late ones. */
  worker_id?: string;
  /** How many sessions of each worker. Default: half of them, rounded up. */
  sessions?: number;
};

export type RequestLog = {
  data: Array<{
    /** As in the header `x-request-id`. */
    id: string;
    at: string;
    method: string;
    path: string;
    /** The path with the names of its parameters. */
    route: string;
    status: number;
    duration_ms: number;
    key_id: string | null;
    person_id: string | null;
    /** JSON without secrets, cut after 4 KiB. Null: no JSON. */
    request_body: string | null;
    /** JSON without secrets, cut after 4 KiB. Null: no JSON. */
    response_body: string | null;
  }>;
};

export type ServiceHealth = {
  data: Array<{
    name:
      | 'database'
      | 'redis'
      | 'media_server'
      | 'gateway'
      | 'workers'
      | 'disk'
      | 'certificate'
      | 'agent_jobs'
      | 'speech_recognition'
      | 'natural_voice';
    status: 'ok' | 'warning' | 'failed';
    detail: string | null;
    latency_ms: number | null;
  }>;
  /** Version of this control plane. */
  version: string;
  migration: {
    /** The newest that this version knows. */
    own: string;
    /** Newest migration in the database. */
    newest: string | null;
    /** A newer version has migrated the database. */
    is_newer: boolean;
  };
};

export type Session = MediaserverSession | BotroomSession;

/** Only `framing` and `background` of the video. */
export type SessionChanges = {
  video?: VideoRequest;
  /** As agents name it, for example `happy`. Unknown ones are ignored. */
  emotion?: string;
};

export type SessionEndedEvent = {
  type: 'session.ended';
  /** When it happened. */
  timestamp: string;
  data: Session;
};

export type SessionHistory = {
  /** Length of each step. Those without data are left out. */
  step_seconds: number;
  points: Array<{
    at: string;
    /** Created in this step. */
    sessions: number;
    /** How many of them failed. */
    failures: number;
    /** Total length of these sessions so far. */
    minutes: number;
  }>;
};

export type SessionQualityChangedEvent = {
  type: 'session.quality_changed';
  /** When it happened. */
  timestamp: string;
  data: {
    session_id: string;
    /** Null: not the session of a call. */
    call_id: string | null;
    /**
     * `full`: Every frame, of full size. `fewer_frames`: Every other frame. `smaller_picture`: Every
     * other frame, of half the width and height. In botrooms the size stays the same. `mouth_only`:
     * The same, and only the mouth moves. `still_picture`: A still face with its mouth shut, and whole
     * sound.
     */
    quality: 'full' | 'fewer_frames' | 'smaller_picture' | 'mouth_only' | 'still_picture';
  };
};

export type SessionRequest = {
  avatar_id: string;
  /**
   * `mediaserver`, the default, or its alias `livekit`: the avatar joins a room of a media server.
   * `botroom`: your bot connects to a new room over a websocket; or, with `url`, the avatar connects
   * to your bot. See `/docs/botroom`.
   */
  transport?: 'mediaserver' | 'livekit' | 'botroom';
  /**
   * With `mediaserver`: address of the media server that the avatar joins (ws, wss, http or https).
   * Without url and token, the session gets a new room on the built-in media server. With `botroom`:
   * address of your Pipecat bot (ws or wss), whose voice gets a face in a new room on the built-in
   * media server. Without it, the answer names a new botroom. Private networks, and addresses
   * without TLS, are refused unless the service allows them.
   */
  url?: string;
  /**
   * With `mediaserver`: room token (JWT) for the avatar, with roomJoin, room and permission to
   * publish. With `botroom` and `url`: sent to your bot as a Bearer token.
   */
  token?: string;
  video?: VideoRequest;
  /** The session ends after this time. */
  max_session_length_minutes?: number;
  /** Custom data, stored and returned unchanged. */
  metadata?: Record<string, string>;
};

export type SessionStartedEvent = {
  type: 'session.started';
  /** When it happened. */
  timestamp: string;
  data: Session;
};

export type SessionStatus =
  | {
      type: 'to_start';
    }
  | {
      type: 'ongoing';
      started_at: string;
    }
  | {
      type: 'completed';
      started_at: string;
      ended_at: string;
    };

export type SignInLink = {
  /** Works once. Shown only once. */
  link: string;
  expires_at: string;
};

export type TestEvent = {
  type: 'test';
  /** When it happened. */
  timestamp: string;
  data: {
    webhook_id: string;
  };
  event_type: 'test';
  message: string;
};

export type Timeline = {
  data: Array<
    | {
        at: string;
        kind: 'created';
      }
    | {
        at: string;
        kind: 'queued';
        /** Waiting time in milliseconds. */
        waited_ms: number;
      }
    | {
        at: string;
        kind: 'assigned';
        /** Number of the placement; rises with each new placement. */
        epoch: number;
        /** The worker concerned. */
        worker_id: string;
        /** Duration in milliseconds. */
        took_ms: number;
      }
    | {
        at: string;
        kind: 'declined';
        /** Number of the placement; rises with each new placement. */
        epoch: number;
        /** The worker concerned. */
        worker_id: string;
        /** Duration in milliseconds. */
        took_ms: number;
      }
    | {
        at: string;
        kind: 'unanswered';
        /** Number of the placement; rises with each new placement. */
        epoch: number;
        /** The worker concerned. */
        worker_id: string;
        /** Duration in milliseconds. */
        took_ms: number;
      }
    | {
        at: string;
        kind: 'given_up';
        /** Number of the placement; rises with each new placement. */
        epoch: number;
        /** The worker concerned. */
        worker_id: string;
      }
    | {
        at: string;
        kind: 'first_frame';
        /** Number of the placement; rises with each new placement. */
        epoch: number;
      }
    | {
        at: string;
        kind: 'joined';
        /** Number of the placement; rises with each new placement. */
        epoch: number;
      }
    | {
        at: string;
        kind: 'agent_missing';
        /** Number of the placement; rises with each new placement. */
        epoch: number;
        /** More about it, in a sentence. */
        detail: string;
      }
    | {
        at: string;
        kind: 'speech_received';
        /** Number of the placement; rises with each new placement. */
        epoch: number;
        /** Number of the utterance; each worker counts from 1 in each session. */
        segment: number;
      }
    | {
        at: string;
        kind: 'speech_refused';
        /** Number of the placement; rises with each new placement. */
        epoch: number;
        /** Number of the utterance; each worker counts from 1 in each session. */
        segment: number;
        /** More about it, in a sentence. */
        detail: string;
      }
    | {
        at: string;
        kind: 'speech_started';
        /** Number of the placement; rises with each new placement. */
        epoch: number;
        /** Number of the utterance; each worker counts from 1 in each session. */
        segment: number;
      }
    | {
        at: string;
        kind: 'speech_finished';
        /** Number of the placement; rises with each new placement. */
        epoch: number;
        /** Number of the utterance; each worker counts from 1 in each session. */
        segment: number;
        /** Playback position in seconds. */
        position_seconds: number;
        /** Whether the utterance stopped before its end. */
        interrupted: boolean;
      }
    | {
        at: string;
        kind: 'interrupted';
        /** Number of the placement; rises with each new placement. */
        epoch: number;
        /** Number of open utterances. */
        segments: number;
      }
    | {
        at: string;
        kind: 'frames';
        /** Number of the placement; rises with each new placement. */
        epoch: number;
        /** Frames per second. */
        frame_rate: number;
        /** Frames that were due but not shown. */
        missed_frames: number;
      }
    | {
        at: string;
        kind: 'quality';
        /** Number of the placement; rises with each new placement. */
        epoch: number;
        /**
         * The quality of the picture: `full`, `fewer_frames`, `smaller_picture`, `mouth_only`,
         * `still_picture`.
         */
        quality: string;
      }
    | {
        at: string;
        kind: 'token_renewed';
        /** Number of the placement; rises with each new placement. */
        epoch: number;
      }
    | {
        at: string;
        kind: 'lost';
        /** Number of the placement; rises with each new placement. */
        epoch: number;
        /** The worker concerned. */
        worker_id: string;
      }
    | {
        at: string;
        kind: 'moved';
        /** Number of the placement; rises with each new placement. */
        epoch: number;
        /** `failover`: the worker was lost. `hand_over`: the worker was about to exit. */
        cause: string;
        /** The previous worker. */
        from_worker_id: string;
        /** The new worker. */
        to_worker_id: string;
        /**
         * Time without a face in milliseconds: from the loss or silence of the previous worker to the
         * first frame.
         */
        gap_ms: number;
      }
    | {
        at: string;
        kind: 'ended';
        /** The end reason. */
        reason: string;
        /** More about it, in a sentence. */
        detail?: string;
      }
  >;
  /** Number of omitted entries. */
  left_out: number;
};

export type Usage = {
  plan: 'free' | 'creator' | 'growth' | 'scale' | 'unlimited';
  /** The current calendar month, UTC. */
  period: {
    started_at: string;
    ends_at: string;
  };
  /** Total of all sessions, each from its first frame to its end or until now. */
  minutes_used: number;
  /** Minutes included in the plan. Null: no limit. */
  minutes_limit: number | null;
  /** Whether sessions may exceed the limit. */
  overage_allowed: boolean;
  /** Sessions not completed. */
  sessions_live: number;
  /** Sessions that may be live at once. Null: no limit. */
  sessions_limit: number | null;
};

export type Video = {
  width: number;
  height: number;
  fps: number;
  /** Absent: chosen by the shape of the frame. */
  framing?:
    | 'close'
    | 'bust'
    | 'wide'
    | {
        x: number;
        y: number;
        head: number;
      };
  /** Absent: the room of the avatar. */
  background?: string;
};

/** The picture. Default: 512 x 512 at 25 frames per second. See `/docs/frames`. */
export type VideoRequest = {
  /** `square`: 512 x 512, `landscape`: 1280 x 720, `portrait`: 720 x 1280 */
  preset?: 'square' | 'landscape' | 'portrait';
  /** Even; with `height`, instead of `preset`. */
  width?: number;
  /** Even; with `width`, instead of `preset`. */
  height?: number;
  /** Default: 25. */
  fps?: number;
  /**
   * Default: `close` in a frame that is about as wide as high, `bust` in others. Where the avatar’s
   * picture ends, the head is shown larger or lower.
   */
  framing?:
    | 'close'
    | 'bust'
    | 'wide'
    | {
        x: number;
        y: number;
        head: number;
      };
  /**
   * Default: `own`. `own`: the room of the avatar; `blur`: that room out of focus; `transparent`:
   * none; the video track is twice as wide and holds the opacity on its right, see `/docs/frames`;
   * `green`: #00b140; a colour as `#rrggbb`; or a picture: `office`, `studio`, `home`, `library`,
   * `plain-light`, `plain-dark`.
   */
  background?: string;
};

/** A voice that agent workers bring along. */
export type Voice = {
  id: string;
  name: string;
  sex: 'female' | 'male';
  /** The language that it speaks, such as `en`. */
  language: string;
  /** Address of a recorded sentence (Ogg with Opus); needs no key. */
  sample: string;
};

export type VoiceList = {
  data: Array<Voice>;
};

export type Webhook = {
  id: string;
  url: string;
  events: Array<
    | 'session.started'
    | 'session.ended'
    | 'session.quality_changed'
    | 'call.started'
    | 'call.ended'
    | 'call.rated'
    | 'message'
    | 'agent.budget_reached'
    | 'avatar.ready'
    | 'test'
  >;
  description: string;
  status: 'enabled' | 'disabled';
  /**
   * `requested`: disabled by an update. `gone`: the receiver answered 410. `failing`: all deliveries
   * failed for a day.
   */
  disabled_reason?: 'requested' | 'gone' | 'failing';
  /** After a rotation: deliveries are also signed with the former secret until then. */
  former_secret_until?: string;
  created_at: string;
};

export type WebhookChanges = {
  /**
   * Address that events are posted to: https, or http on this machine. Private network addresses are
   * refused unless the service allows them.
   */
  url?: string;
  /** Events to send. A `test` is sent on request even if not listed. */
  events?: Array<
    | 'session.started'
    | 'session.ended'
    | 'session.quality_changed'
    | 'call.started'
    | 'call.ended'
    | 'call.rated'
    | 'message'
    | 'agent.budget_reached'
    | 'avatar.ready'
    | 'test'
  >;
  description?: string;
  /** When enabled again, missed events are delivered with a full set of attempts. */
  status?: 'enabled' | 'disabled';
};

export type WebhookDelivery = {
  id: string;
  /** Sent as `webhook-id`, the same in every attempt. */
  event_id: string;
  type:
    | 'session.started'
    | 'session.ended'
    | 'session.quality_changed'
    | 'call.started'
    | 'call.ended'
    | 'call.rated'
    | 'message'
    | 'agent.budget_reached'
    | 'avatar.ready'
    | 'test';
  /** `failed`: all attempts of a day failed, and none follows. */
  status: 'pending' | 'delivered' | 'failed';
  /** Completed attempts. */
  attempts: number;
  created_at: string;
  next_attempt_at?: string;
  delivered_at?: string;
  /** HTTP status of the answer to the last attempt, if any. */
  answer_status?: number;
  /** Why the last attempt failed. */
  error?: string;
};

export type WebhookDeliveryWithBody = {
  id: string;
  /** Sent as `webhook-id`, the same in every attempt. */
  event_id: string;
  type:
    | 'session.started'
    | 'session.ended'
    | 'session.quality_changed'
    | 'call.started'
    | 'call.ended'
    | 'call.rated'
    | 'message'
    | 'agent.budget_reached'
    | 'avatar.ready'
    | 'test';
  /** `failed`: all attempts of a day failed, and none follows. */
  status: 'pending' | 'delivered' | 'failed';
  /** Completed attempts. */
  attempts: number;
  created_at: string;
  next_attempt_at?: string;
  delivered_at?: string;
  /** HTTP status of the answer to the last attempt, if any. */
  answer_status?: number;
  /** Why the last attempt failed. */
  error?: string;
  /** JSON, as signed and sent. */
  body: string;
};

export type WebhookRequest = {
  /**
   * Address that events are posted to: https, or http on this machine. Private network addresses are
   * refused unless the service allows them.
   */
  url: string;
  /** Events to send. A `test` is sent on request even if not listed. */
  events: Array<
    | 'session.started'
    | 'session.ended'
    | 'session.quality_changed'
    | 'call.started'
    | 'call.ended'
    | 'call.rated'
    | 'message'
    | 'agent.budget_reached'
    | 'avatar.ready'
    | 'test'
  >;
  description?: string;
};

export type WebhookWithSecret = {
  id: string;
  url: string;
  events: Array<
    | 'session.started'
    | 'session.ended'
    | 'session.quality_changed'
    | 'call.started'
    | 'call.ended'
    | 'call.rated'
    | 'message'
    | 'agent.budget_reached'
    | 'avatar.ready'
    | 'test'
  >;
  description: string;
  status: 'enabled' | 'disabled';
  /**
   * `requested`: disabled by an update. `gone`: the receiver answered 410. `failing`: all deliveries
   * failed for a day.
   */
  disabled_reason?: 'requested' | 'gone' | 'failing';
  /** After a rotation: deliveries are also signed with the former secret until then. */
  former_secret_until?: string;
  created_at: string;
  /**
   * Key of the signature (Standard Webhooks: `webhook-id`, `webhook-timestamp`,
   * `webhook-signature`). Shown only once.
   */
  secret: string;
};

export type Worker = {
  id: string;
  kind: 'avatar' | 'agent';
  /** WORKER_POOL of the worker. */
  pool: string;
  /** Software version. */
  version: string;
  /** Name of its machine; in Kubernetes, of its pod. Null: an older worker. */
  host: string | null;
  /**
   * `ready`: accepts sessions. `late`: its frames are late. `resting`: declined a session a moment
   * ago. `cordoned`: takes no new sessions until it is resumed. `draining`: takes no new sessions
   * and stops after its last one.
   */
  state: 'ready' | 'late' | 'resting' | 'cordoned' | 'draining';
  /** Takes no new sessions until it is resumed; also while it is late or draining. */
  cordoned: boolean;
  /** Sessions that it can perform at once. */
  slots: number;
  /** Slots in use. */
  taken: number;
  /** Share of frames that were late in the last seconds, or left out for want of CPU time; 0 to 1. */
  late_share: number;
  /** Frames per second per session; null while no session runs. */
  frame_rate: number | null;
  /**
   * What it shows; below `full` while it has too little CPU time. `full`: Every frame, of full size.
   * `fewer_frames`: Every other frame. `smaller_picture`: Every other frame, of half the width and
   * height. In botrooms the size stays the same. `mouth_only`: The same, and only the mouth moves.
   * `still_picture`: A still face with its mouth shut, and whole sound.
   */
  quality: 'full' | 'fewer_frames' | 'smaller_picture' | 'mouth_only' | 'still_picture';
  /** When it connected. */
  since: string;
  /** The forecast of a draining worker; else null. */
  drain: {
    /** Sessions that it still performs. */
    sessions: number;
    /**
     * When it will be empty at the latest: by the limits of its sessions, and by its own, after which
     * it hands over what is left. Null: a session has no limit.
     */
    done_by: string | null;
  } | null;
};

export type WorkerList = {
  data: Array<Worker>;
};

export type WorkerToken = {
  id: string;
  name: string;
  /** `avatar` or `agent`; null: workers of any kind. */
  kind: string | null;
  /** WORKER_POOL of its workers; null: any pool. */
  pool: string | null;
  created_at: string;
  /** Rounded to the minute. */
  last_used_at: string | null;
  revoked_at: string | null;
};

export type WorkerTokenRequest = {
  name: string;
  /** Only for workers of this kind. */
  kind?: 'avatar' | 'agent';
  /** Only for workers of this pool. */
  pool?: string;
};

/** A delivery to a webhook. */
export type WebhookEvent =
  | SessionStartedEvent
  | SessionEndedEvent
  | SessionQualityChangedEvent
  | CallStartedEvent
  | CallEndedEvent
  | CallRatedEvent
  | MessageEvent
  | AgentBudgetReachedEvent
  | AvatarReadyEvent
  | TestEvent;
